package dev.concord.persist.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;

/** Who is told of changes. Events of one operation are gathered and told when it has let its locks go. */
final class Listeners<K, V> {
    private final List<Registered<K, V>> all = new CopyOnWriteArrayList<>();

    private record Registered<K, V>(CacheEntryListenerConfiguration<K, V> configuration, CacheEntryListener<? super K, ? super V> listener,
            CacheEntryEventFilter<? super K, ? super V> filter) {
    }

    /** One change. */
    static final class Event<K, V> extends CacheEntryEvent<K, V> {
        private static final long serialVersionUID = 1;
        private final transient K key;
        private final transient V value;
        private final transient V old;
        private final boolean tellsOld;

        Event(Cache<K, V> source, EventType type, K key, V value, V old) {
            this(source, type, key, value, old, true);
        }

        private Event(Cache<K, V> source, EventType type, K key, V value, V old, boolean tellsOld) {
            super(source, type);
            this.key = key;
            this.value = value;
            this.old = old;
            this.tellsOld = tellsOld;
        }

        @SuppressWarnings("unchecked")
        Event<K, V> withoutOld() {
            return new Event<>((Cache<K, V>) getSource(), getEventType(), key, value, old, false);
        }

        @Override
        public V getOldValue() {
            return tellsOld ? old : null;
        }

        @Override
        public boolean isOldValueAvailable() {
            return tellsOld && old != null;
        }

        @Override
        public K getKey() {
            return key;
        }

        @Override
        public V getValue() {
            return value;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            if (type.isInstance(this)) {
                return type.cast(this);
            }
            throw new IllegalArgumentException("an event is no " + type.getName());
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    void register(CacheEntryListenerConfiguration<K, V> c) {
        for (Registered<K, V> r : all) {
            if (r.configuration.equals(c)) {
                throw new IllegalArgumentException("this listener is registered already");
            }
        }
        all.add(new Registered<>(c, c.getCacheEntryListenerFactory().create(),
                c.getCacheEntryEventFilterFactory() == null ? null : c.getCacheEntryEventFilterFactory().create()));
    }

    /** Returns what the registration had made, which may have to be closed. */
    List<Object> deregister(CacheEntryListenerConfiguration<K, V> c) {
        List<Object> parts = new ArrayList<>();
        for (Registered<K, V> r : all) {
            if (r.configuration.equals(c)) {
                all.remove(r);
                parts.add(r.listener);
                parts.add(r.filter);
            }
        }
        return parts;
    }

    /** As {@link #deregister}, of all. */
    List<Object> deregisterAll() {
        List<Object> parts = new ArrayList<>();
        for (Registered<K, V> r : all) {
            parts.addAll(deregister(r.configuration));
        }
        return parts;
    }

    void tell(List<Event<K, V>> events) {
        for (EventType type : EventType.values()) {
            List<Event<K, V>> some = events.stream().filter(e -> e.getEventType() == type).toList();
            if (!some.isEmpty()) {
                for (Registered<K, V> r : all) {
                    tell(r, type, some);
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void tell(Registered<K, V> r, EventType type, List<Event<K, V>> events) {
        try {
            List<CacheEntryEvent<? extends K, ? extends V>> passed = new ArrayList<>();
            for (Event<K, V> e : events) {
                Event<K, V> shown = r.configuration.isOldValueRequired() || type == EventType.REMOVED || type == EventType.EXPIRED ? e : e.withoutOld();
                if (r.filter == null || ((CacheEntryEventFilter<K, V>) r.filter).evaluate(shown)) {
                    passed.add(shown);
                }
            }
            if (passed.isEmpty()) {
                return;
            }
            CacheEntryListener<K, V> l = (CacheEntryListener<K, V>) r.listener;
            switch (type) {
                case CREATED -> {
                    if (l instanceof CacheEntryCreatedListener<?, ?> x) {
                        ((CacheEntryCreatedListener<K, V>) x).onCreated(passed);
                    }
                }
                case UPDATED -> {
                    if (l instanceof CacheEntryUpdatedListener<?, ?> x) {
                        ((CacheEntryUpdatedListener<K, V>) x).onUpdated(passed);
                    }
                }
                case REMOVED -> {
                    if (l instanceof CacheEntryRemovedListener<?, ?> x) {
                        ((CacheEntryRemovedListener<K, V>) x).onRemoved(passed);
                    }
                }
                case EXPIRED -> {
                    if (l instanceof CacheEntryExpiredListener<?, ?> x) {
                        ((CacheEntryExpiredListener<K, V>) x).onExpired(passed);
                    }
                }
            }
        } catch (CacheEntryListenerException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheEntryListenerException("a listener failed", e);
        }
    }
}
