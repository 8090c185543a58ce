package dev.concord.persist.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.HeapStatistics;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.infinispan.Cache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.Visitor;
import org.infinispan.commands.write.WriteCommand;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.context.InvocationContext;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.AsyncInterceptor;
import org.infinispan.interceptors.AsyncInterceptorChain;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.infinispan.interceptors.InvocationStage;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a key's lock is given back, and when a command answers: in a chain of our interceptors and made-up ones, and in a cache. */
class EarlyReleaseTest {
    @TempDir
    Path dir;

    /** Places in the log, and the stages that wait for them. */
    private final TreeMap<Long, CompletableFuture<Void>> awaited = new TreeMap<>();
    /** The place of the last write, whoever made it. */
    private long last;
    private final EarlyRelease early = new EarlyRelease(
            place -> place == 0 ? CompletableFuture.completedFuture(null) : awaited.computeIfAbsent(place, p -> new CompletableFuture<>()), () -> last);
    private final List<String> events = new ArrayList<>();
    private long next = 1;
    private boolean early(String what) {
        return early(what, "key");
    }

    private boolean early(String what, String key) {
        boolean yes = early.answersFor(key, next++);
        events.add(what + (yes ? " early" : " waits"));
        return yes;
    }

    private interface Step {
        Object run(Next next) throws Throwable;
    }

    private interface Next {
        Object invoke();
    }

    private static AsyncInterceptor step(Step s) {
        return new BaseAsyncInterceptor() {
            @Override
            public Object visitCommand(InvocationContext c, VisitableCommand x) throws Throwable {
                return s.run(() -> invokeNext(c, x));
            }
        };
    }

    private static AsyncInterceptor chain(AsyncInterceptor... all) {
        for (int i = 0; i + 1 < all.length; i++) {
            all[i].setNextInterceptor(all[i + 1]);
        }
        return all[0];
    }

    private static WriteCommand command() {
        return (WriteCommand) Proxy.newProxyInstance(EarlyReleaseTest.class.getClassLoader(), new Class<?>[] {WriteCommand.class},
                (p, m, a) -> switch (m.getName()) {
                    case "equals" -> true;
                    case "getAffectedKeys" -> Set.of("key");
                    case "acceptVisitor" -> ((Visitor) a[1]).visitUnknownCommand((InvocationContext) a[0], (VisitableCommand) p);
                    default -> m.getReturnType() == boolean.class ? false : null;
                });
    }

    private static CompletableFuture<Object> run(AsyncInterceptor chain, VisitableCommand command) throws Throwable {
        Object o = chain.visitCommand(null, command);
        return o instanceof InvocationStage s ? s.toCompletableFuture() : CompletableFuture.completedFuture(o);
    }

    private AsyncInterceptor lock() {
        return step(n -> {
            Object o = n.invoke();
            events.add("unlock");
            return o;
        });
    }

    @Test
    void theLockIsFreeAndTheAnswerWaits() throws Throwable {
        CompletableFuture<Object> answer = run(chain(early.answers(), lock(), early.writes(), step(n -> early("write") ? "old" : "?")), command());
        assertEquals(List.of("write early", "unlock"), events);
        assertFalse(answer.isDone());
        awaited.get(1L).complete(null);
        assertEquals("old", answer.join());
    }

    @Test
    void theLastOfSeveralWritesIsAwaitedAndACommandWithoutOneIsNot() throws Throwable {
        CompletableFuture<Object> answer = run(chain(early.answers(), early.writes(), step(n -> early("one") && early("two"))), command());
        assertEquals(List.of(2L), List.copyOf(awaited.keySet()));
        assertFalse(answer.isDone());
        assertEquals("none", run(chain(early.answers(), early.writes(), step(n -> "none")), command()).getNow("waits"));
    }

    /** What it found may be another's write, whose lock came free early. */
    @Test
    void aCommandThatFoundNothingToWriteWaitsForWhatOthersHaveWritten() throws Throwable {
        last = 7;
        CompletableFuture<Object> answer = run(chain(early.answers(), early.writes(), step(n -> "present")), command());
        assertFalse(answer.isDone());
        awaited.get(7L).complete(null);
        assertEquals("present", answer.join());
    }

    /** Of a command that one of this command's listeners let go on. */
    @Test
    void theWriteOfAnotherKeyWithinACommandWaitsForItself() throws Throwable {
        run(chain(early.answers(), early.writes(), step(n -> early("foreign", "other") | early("mine"))), command());
        assertEquals(List.of("foreign waits", "mine early"), events);
        assertEquals(List.of(2L), List.copyOf(awaited.keySet()));
    }

    @Test
    void whatFailsToBecomeDurableFailsTheCommand() throws Throwable {
        CompletableFuture<Object> answer = run(chain(early.answers(), early.writes(), step(n -> early("write"))), command());
        awaited.get(1L).completeExceptionally(new IllegalStateException("medium"));
        assertEquals("medium", assertThrows(CompletionException.class, answer::join).getCause().getMessage());
    }

    /** As when a lock came free in another thread, which goes on with the command. */
    @Test
    void aCommandThatGoesOnInAnotherThreadStillAnswersForItself() throws Throwable {
        List<AsyncInterceptor> rest = new ArrayList<>();
        WriteCommand mine = command();
        CompletableFuture<Object> lock = new CompletableFuture<>();
        CompletableFuture<Object> answer = run(chain(early.answers(), step(n -> BaseAsyncInterceptor.asyncValue(lock))), mine);
        rest.add(chain(early.writes(), step(n -> early("mine"))));
        run(chain(early.answers(), step(n -> {
            lock.complete(rest.get(0).visitCommand(null, mine));
            return n.invoke();
        }), early.writes(), step(n -> early("other"))), command());
        assertEquals(List.of("mine early", "other early"), events);
        assertEquals(List.of(1L, 2L), List.copyOf(awaited.keySet()));
        assertFalse(answer.isDone());
        awaited.get(1L).complete(null);
        assertTrue(answer.isDone());
    }

    /** Two commands that are equal are still two. */
    @Test
    void aCommandWithinACommandAnswersForItself() throws Throwable {
        AsyncInterceptor inner = chain(early.answers(), early.writes(), step(n -> early("inner")));
        List<CompletableFuture<Object>> inners = new ArrayList<>();
        CompletableFuture<Object> outer = run(chain(early.answers(), early.writes(), step(n -> {
            inners.add(run(inner, command()));
            return early("outer");
        })), command());
        assertEquals(List.of("inner early", "outer early"), events);
        awaited.get(1L).complete(null);
        assertTrue(inners.get(0).isDone());
        assertFalse(outer.isDone());
    }

    @Test
    void whatIsWrittenWithoutACommandThatAnswersWaitsForItself() throws Throwable {
        early("alone");
        chain(early.writes(), step(n -> early("unknown"))).visitCommand(null, command());
        AsyncInterceptor chain = chain(early.answers(), early.writes(), step(n -> {
            Thread t = new Thread(() -> early("elsewhere"));
            t.start();
            t.join();
            throw new IllegalArgumentException("thrown");
        }));
        assertThrows(CompletionException.class, () -> run(chain, command()).join());
        early("afterwards");
        assertEquals(List.of("alone waits", "unknown waits", "elsewhere waits", "afterwards waits"), events);
    }

    private static boolean answersEarly(Cache<?, ?> c) {
        return ComponentRegistry.componentOf(c, AsyncInterceptorChain.class).getInterceptors().stream()
                .anyMatch(i -> i.getClass().getName().startsWith(EarlyRelease.class.getName()));
    }

    @Test
    void oneStoreOfACacheAnswersEarlyAndWritesBehindDoNot() throws Exception {
        try (DefaultCacheManager m = new DefaultCacheManager()) {
            ConfigurationBuilder two = new ConfigurationBuilder();
            two.persistence().addStore(PersistStoreConfigurationBuilder.class).location(dir.resolve("one").toString());
            two.persistence().addStore(PersistStoreConfigurationBuilder.class).location(dir.resolve("two").toString());
            m.defineConfiguration("two", two.build());
            ConfigurationBuilder behind = new ConfigurationBuilder();
            behind.persistence().addStore(PersistStoreConfigurationBuilder.class).location(dir.resolve("behind").toString()).async().enable();
            m.defineConfiguration("behind", behind.build());
            for (String name : List.of("two", "behind")) {
                Cache<String, Integer> c = m.getCache(name);
                for (int i = 0; i < 100; i++) {
                    assertNull(c.put("k" + i, i));
                    assertEquals(i, c.putIfAbsent("k" + i, -1));
                    assertEquals(i, c.remove("k" + i));
                }
                c.putAll(Map.of("a", 1, "b", 2));
                assertEquals(2, c.get("b"));
                assertNull(c.get("k5"));
                assertEquals(name.equals("two"), answersEarly(c), name);
            }
        }
    }

    /** Additions to one key by eight threads at a time: commits for each sync. */
    private double commitsPerSync(boolean earlyRelease) throws Exception {
        Path d = Files.createDirectories(dir.resolve("early-" + earlyRelease));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (DefaultCacheManager m = new DefaultCacheManager()) {
            ConfigurationBuilder b = new ConfigurationBuilder();
            b.persistence().addStore(PersistStoreConfigurationBuilder.class).location(d.toString()).earlyRelease(earlyRelease);
            m.defineConfiguration("c", b.build());
            Cache<String, Integer> c = m.getCache("c");
            c.put("k", 0);
            PersistStore<?, ?> store = ComponentRegistry.componentOf(c, PersistenceManager.class).getStores(PersistStore.class).iterator().next();
            HeapStatistics before = store.heap().statistics();
            Callable<Integer> adder = () -> {
                for (int i = 0; i < 100; i++) {
                    c.merge("k", 1, Integer::sum);
                }
                return 100;
            };
            for (Future<Integer> f : threads.invokeAll(Collections.nCopies(8, adder))) {
                assertEquals(100, f.get());
            }
            assertEquals(800, c.get("k"));
            HeapStatistics after = store.heap().statistics();
            assertEquals(800, after.commits() - before.commits());
            return 800.0 / (after.syncs() - before.syncs());
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void writesOfOneKeyShareSyncs() throws Exception {
        assertEquals(1, commitsPerSync(false), 0.02);
        double shared = commitsPerSync(true);
        assertTrue(shared > 1.5, shared + " writes of a key for each sync");
    }
}
