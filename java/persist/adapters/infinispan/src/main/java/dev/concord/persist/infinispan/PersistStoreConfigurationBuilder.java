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
