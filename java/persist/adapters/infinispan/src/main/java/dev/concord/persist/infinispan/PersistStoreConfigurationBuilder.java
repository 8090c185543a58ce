package dev.concord.persist.infinispan;

import dev.concord.persist.Durability;
import org.infinispan.commons.configuration.Builder;
import org.infinispan.commons.configuration.Combine;
import org.infinispan.configuration.cache.AbstractStoreConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;

/** Builds a {@link PersistStoreConfiguration}: {@code persistence().addStore(PersistStoreConfigurationBuilder.class)}. */
public final class PersistStoreConfigurationBuilder extends AbstractStoreConfigurationBuilder<PersistStoreConfiguration, PersistStoreConfigurationBuilder> {
    public PersistStoreConfigurationBuilder(PersistenceConfigurationBuilder builder) {
        super(builder, PersistStoreConfiguration.attributeDefinitionSet());
    }

    @Override
    public PersistStoreConfigurationBuilder self() {
        return this;
    }

    public PersistStoreConfigurationBuilder location(String directory) {
        attributes.attribute(PersistStoreConfiguration.LOCATION).set(directory);
        return this;
    }

    public PersistStoreConfigurationBuilder durability(Durability level) {
        attributes.attribute(PersistStoreConfiguration.DURABILITY).set(level);
        return this;
    }

    /**
     * Whether every thread that writes also waits until the write is durable, leading the sync of a group or following one, if it
     * is not one of Infinispan's that must not block. By default, false, it is those threads that were seen to wait for their
     * writes, as {@code put} and its like do; they save two changes of threads. One that has many {@code putAsync} under way
     * never waits, but if this is true, for each.
     */
    public PersistStoreConfigurationBuilder callerSyncs(boolean yes) {
        attributes.attribute(PersistStoreConfiguration.CALLER_SYNCS).set(yes);
        return this;
    }

    /**
     * Whether a command gives its key's lock back as soon as its write has a place in the log, and its answer alone waits until
     * that is durable; true by default. Writes of one key then share syncs as those of others do. Who reads meanwhile
     * sees a value that has not been acknowledged to its writer yet: after a power failure it may be gone. What the reader
     * writes itself is never durable before it. If the medium fails, a cache that holds
     * its values shows one whose command failed. If false, a cache that holds its values shows them when they are durable. Of no
     * effect for writes behind, for {@code putAll}, and for a second such store of a cache.
     */
    public PersistStoreConfigurationBuilder earlyRelease(boolean yes) {
        attributes.attribute(PersistStoreConfiguration.EARLY_RELEASE).set(yes);
        return this;
    }

    /**
     * Bytes of the log of a heap that is made, from 64 KiB to 1 GiB; 128 MiB by default. The file has them from the start. What is
     * written goes home to its place in the file each time half of them are full, once however often it was written; one
     * record, or one batch, may take a quarter. A heap that exists keeps its own.
     */
    public PersistStoreConfigurationBuilder logSize(long bytes) {
        attributes.attribute(PersistStoreConfiguration.LOG_SIZE).set(bytes);
        return this;
    }

    @Override
    public PersistStoreConfiguration create() {
        return new PersistStoreConfiguration(attributes.protect(), async.create());
    }

    @Override
    public Builder<?> read(PersistStoreConfiguration template, Combine combine) {
        super.read(template, combine);
        return this;
    }
}
