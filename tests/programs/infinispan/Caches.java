import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryRemoved;
import org.infinispan.notifications.cachelistener.event.CacheEntryEvent;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;

/** Arguments: folder of the store, JGroups configuration, entries. */
public class Caches {
    @Listener
    public static final class Counter {
        final AtomicInteger created = new AtomicInteger(), removed = new AtomicInteger();

        @CacheEntryCreated
        public void created(CacheEntryEvent<String, String> e) {
            if (!e.isPre()) created.incrementAndGet();
        }

        @CacheEntryRemoved
        public void removed(CacheEntryEvent<String, String> e) {
            if (!e.isPre()) removed.incrementAndGet();
        }
    }

    static GlobalConfigurationBuilder global(GlobalConfigurationBuilder b, String folder, String name) {
        b.globalState().enable().persistentLocation(folder + "/" + name).temporaryLocation(folder + "/" + name);
        b.jmx().disable();
        return b;
    }

    static <K, V> Cache<K, V> define(DefaultCacheManager manager, String name, Configuration configuration) {
        manager.defineConfiguration(name, configuration);
        return manager.getCache(name);
    }

    static void local(String folder, int n) throws Exception {
        var global = global(new GlobalConfigurationBuilder().nonClusteredDefault(), folder, "local");
        try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
            Cache<String, String> stored = define(manager, "stored", new ConfigurationBuilder().memory().maxCount(n / 10).persistence().passivation(false)
                            .addSoftIndexFileStore().dataLocation("data").indexLocation("index").build());
            Counter counter = new Counter();
            stored.addListener(counter);
            for (int i = 0; i < n; i++) stored.put("key" + i, "value " + i * i);
            for (int i = 0; i < n; i += 3) stored.remove("key" + i);
            long sum = 0;
            for (int i = 0; i < n; i++) {
                String v = stored.get("key" + i);
                if (v != null) sum += v.hashCode();
            }
            System.out.println("stored " + stored.size() + " " + sum + " created " + counter.created + " removed " + counter.removed);
            System.out.println(stored.getAdvancedCache().getDataContainer().size() <= n / 10 ? "evicted to its limit" : "too many in memory");
            System.out.println(stored.computeIfAbsent("fresh", k -> k + "!") + " " + stored.merge("fresh", "?", String::concat));
            Map<Integer, Long> lengths = stored.entrySet().stream().collect(Collectors.groupingBy(e -> e.getValue().length(), TreeMap::new, Collectors.counting()));
            System.out.println(lengths);

            Cache<String, Integer> accounts = define(manager, "accounts", new ConfigurationBuilder().transaction().transactionMode(TransactionMode.TRANSACTIONAL)
                            .transactionManagerLookup(new EmbeddedTransactionManagerLookup()).lockingMode(LockingMode.PESSIMISTIC).build());
            accounts.put("a", 100);
            accounts.put("b", 100);
            var tm = accounts.getAdvancedCache().getTransactionManager();
            for (int i = 0; i < 20; i++) {
                tm.begin();
                accounts.put("a", accounts.get("a") - i);
                accounts.put("b", accounts.get("b") + i);
                if (i % 4 == 3) tm.rollback(); else tm.commit();
            }
            System.out.println("accounts " + accounts.get("a") + " " + accounts.get("b"));
            Cache<String, String> brief = define(manager, "brief", new ConfigurationBuilder().build());
            brief.put("gone", "x", 50, TimeUnit.MILLISECONDS);
            brief.put("stays", "y", 1, TimeUnit.HOURS);
            Thread.sleep(200);
            System.out.println("expired " + brief.get("gone") + ", " + brief.get("stays"));
        }
    }

    static DefaultCacheManager node(String folder, String jgroups, String name) {
        var global = global(GlobalConfigurationBuilder.defaultClusteredBuilder(), folder, name);
        global.transport().clusterName("c").nodeName(name).addProperty("configurationFile", jgroups);
        DefaultCacheManager manager = new DefaultCacheManager(global.build());
        manager.defineConfiguration("distributed", new ConfigurationBuilder().clustering().cacheMode(CacheMode.DIST_SYNC).hash().numOwners(1).build());
        manager.defineConfiguration("replicated", new ConfigurationBuilder().clustering().cacheMode(CacheMode.REPL_SYNC).build());
        return manager;
    }

    static void cluster(String folder, String jgroups, int n) throws Exception {
        try (DefaultCacheManager one = node(folder, jgroups, "one"); DefaultCacheManager two = node(folder, jgroups, "two")) {
            Cache<String, String> replicated = one.getCache("replicated"), mirror = two.getCache("replicated");
            Cache<String, String> distributed = one.getCache("distributed"), other = two.getCache("distributed");
            System.out.println("members " + one.getMembers().size() + " " + two.getMembers().size());
            for (int i = 0; i < n; i++) {
                replicated.put("k" + i, "r" + i);
                (i % 2 == 0 ? distributed : other).put("k" + i, "d" + i);
            }
            long sum = 0;
            for (int i = 0; i < n; i++) sum += mirror.get("k" + i).hashCode() * 31L + other.get("k" + i).hashCode() + distributed.get("k" + i).hashCode();
            int here = distributed.getAdvancedCache().getDataContainer().size(), there = other.getAdvancedCache().getDataContainer().size();
            System.out.println("sum " + sum + " size " + distributed.size() + " owned " + (here + there) + " " + (here > 0 && there > 0));
            CountDownLatch seen = new CountDownLatch(4);
            Thread[] threads = new Thread[4];
            for (int t = 0; t < threads.length; t++) {
                Cache<String, String> cache = t % 2 == 0 ? replicated : mirror;
                threads[t] = new Thread(() -> {
                    for (int i = 0; i < n / 10; i++) cache.merge("counter", "x", String::concat);
                    seen.countDown();
                });
                threads[t].start();
            }
            for (Thread t : threads) t.join();
            System.out.println("counted " + (seen.getCount() == 0) + " " + mirror.get("counter").equals(replicated.get("counter"))
                    + " " + mirror.get("counter").length());
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[2]);
        local(args[0], n);
        cluster(args[0], args[1], n);
        System.out.println("stopped");
    }
}
