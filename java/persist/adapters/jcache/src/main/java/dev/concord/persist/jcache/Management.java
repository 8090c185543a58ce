package dev.concord.persist.jcache;

import java.lang.management.ManagementFactory;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.management.CacheMXBean;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Names, registers and unregisters a cache's beans. */
final class Management {
    private final String manager;
    private final String cache;

    Management(PersistCacheManager manager, String cache) {
        this.manager = clean(manager.getURI().toString());
        this.cache = clean(cache);
    }

    private static String clean(String s) {
        return s.replaceAll("[,:=\n*?\"]", ".");
    }

    private ObjectName name(String type) throws JMException {
        return new ObjectName("javax.cache:type=Cache" + type + ",CacheManager=" + manager + ",Cache=" + cache);
    }

    void show(String type, Object bean) {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            if (!server.isRegistered(name(type))) {
                server.registerMBean(bean, name(type));
            }
        } catch (JMException e) {
            throw new CacheException("management of cache " + cache + " cannot be enabled", e);
        }
    }

    void hide(String type) {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            if (server.isRegistered(name(type))) {
                server.unregisterMBean(name(type));
            }
        } catch (JMException e) {
            throw new CacheException("management of cache " + cache + " cannot be disabled", e);
        }
    }

    /** The configuration as a bean. */
    record Settings(CompleteConfiguration<?, ?> configuration) implements CacheMXBean {
        @Override
        public String getKeyType() {
            return configuration.getKeyType().getName();
        }

        @Override
        public String getValueType() {
            return configuration.getValueType().getName();
        }

        @Override
        public boolean isReadThrough() {
            return configuration.isReadThrough();
        }

        @Override
        public boolean isWriteThrough() {
            return configuration.isWriteThrough();
        }

        @Override
        public boolean isStoreByValue() {
            return configuration.isStoreByValue();
        }

        @Override
        public boolean isStatisticsEnabled() {
            return configuration.isStatisticsEnabled();
        }

        @Override
        public boolean isManagementEnabled() {
            return configuration.isManagementEnabled();
        }
    }
}
