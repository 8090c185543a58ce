package dev.concord.persist.infinispan;

import dev.concord.persist.Durability;
import org.infinispan.commons.configuration.BuiltBy;
import org.infinispan.commons.configuration.ConfigurationFor;
import org.infinispan.commons.configuration.attributes.AttributeDefinition;
import org.infinispan.commons.configuration.attributes.AttributeSet;
import org.infinispan.configuration.cache.AbstractStoreConfiguration;
import org.infinispan.configuration.cache.AsyncStoreConfiguration;

/** Where the heap of a {@link PersistStore} lies and what its writes survive. */
@BuiltBy(PersistStoreConfigurationBuilder.class)
@ConfigurationFor(PersistStore.class)
public final class PersistStoreConfiguration extends AbstractStoreConfiguration<PersistStoreConfiguration> {
    static final AttributeDefinition<String> LOCATION = AttributeDefinition.builder("location", null, String.class).immutable().build();
    static final AttributeDefinition<Durability> DURABILITY = AttributeDefinition.builder("durability", Durability.POWER).immutable().build();

    static final AttributeDefinition<Boolean> CALLER_SYNCS = AttributeDefinition.builder("callerSyncs", false).immutable().build();

    static final AttributeDefinition<Boolean> EARLY_RELEASE = AttributeDefinition.builder("earlyRelease", true).immutable().build();

    /** Twice what is written between two checkpoints: of records that are written often, most versions never go home. */
    static final AttributeDefinition<Long> LOG_SIZE = AttributeDefinition.builder("logSize", 128L << 20).immutable().build();

    private enum Element { JNVM_STORE;
        @Override
        public String toString() {
            return "jnvm-store";
        }
    }

    PersistStoreConfiguration(AttributeSet attributes, AsyncStoreConfiguration async) {
        super(Element.JNVM_STORE, attributes, async);
    }

    public static AttributeSet attributeDefinitionSet() {
        return new AttributeSet(PersistStoreConfiguration.class, AbstractStoreConfiguration.attributeDefinitionSet(), LOCATION, DURABILITY, CALLER_SYNCS, EARLY_RELEASE, LOG_SIZE);
    }

    /** Directory of the heap file, which is named after the cache. */
    public String location() {
        return attributes.attribute(LOCATION).get();
    }

    /** What a write survives once its stage has completed. */
    public Durability durability() {
        return attributes.attribute(DURABILITY).get();
    }

    /** Whether every thread of the application that writes waits for the medium itself; see {@link PersistStoreConfigurationBuilder#callerSyncs}. */
    public boolean callerSyncs() {
        return attributes.attribute(CALLER_SYNCS).get();
    }

    /** Whether a key's lock is given back before what was written is durable; see {@link PersistStoreConfigurationBuilder#earlyRelease}. */
    public boolean earlyRelease() {
        return attributes.attribute(EARLY_RELEASE).get();
    }

    /** Bytes of the log of a heap that is made; see {@link PersistStoreConfigurationBuilder#logSize}. */
    public long logSize() {
        return attributes.attribute(LOG_SIZE).get();
    }
}
