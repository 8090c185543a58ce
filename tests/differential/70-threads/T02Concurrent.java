import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class T02Concurrent {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static class F extends RecursiveTask<Integer> {
        final int n;

        F(int n) {
            this.n = n;
        }

        protected Integer compute() {
            if (n < 10) return fib(n);
            F a = new F(n - 1);
            a.fork();
            return new F(n - 2).compute() + a.join();
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(4);
        List<Future<Integer>> fs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int k = i;
            fs.add(ex.submit(() -> fib(k)));
        }
        int s = 0;
        for (Future<Integer> f : fs) s += f.get();
        System.out.println(s);
        Future<?> bad =
                ex.submit(
                        () -> {
                            throw new IllegalStateException("task");
                        });
        try {
            bad.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                ex.invokeAll(List.of(() -> "a", () -> "b")).get(1).get()
                        + ""
                        + ex.invokeAny(List.of(() -> "any")));
        Future<?> slow =
                ex.submit(
                        () -> {
                            try {
                                Thread.sleep(100000);
                            } catch (InterruptedException e) {
                            }
                        });
        try {
            slow.get(10, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout");
        }
        System.out.println(slow.cancel(true) + " " + slow.isCancelled());
        ex.shutdown();
        System.out.println(ex.awaitTermination(10, TimeUnit.SECONDS));
        try {
            ex.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        System.out.println(
                new ForkJoinPool(3).invoke(new F(18))
                        + " "
                        + ForkJoinPool.commonPool().submit(() -> 5).get());
        System.out.println(
                CompletableFuture.supplyAsync(() -> 20)
                                .thenApply(x -> x + 1)
                                .thenCombine(
                                        CompletableFuture.supplyAsync(() -> 2), (a, b) -> a * b)
                                .handle((v, t) -> v)
                                .get()
                        + " "
                        + CompletableFuture.supplyAsync(
                                        () -> {
                                            if (true) throw new RuntimeException("cf");
                                            return 1;
                                        })
                                .exceptionally(t -> -1)
                                .join());
        CountDownLatch l = new CountDownLatch(3);
        AtomicInteger ai = new AtomicInteger();
        LongAdder la = new LongAdder();
        for (int i = 0; i < 3; i++)
            new Thread(
                            () -> {
                                for (int k = 0; k < 1000; k++) {
                                    ai.incrementAndGet();
                                    la.add(2);
                                }
                                l.countDown();
                            })
                    .start();
        l.await();
        System.out.println(ai.get() + " " + la.sum());
        ReentrantLock lock = new ReentrantLock(true);
        Condition c = lock.newCondition();
        int[] turn = {0};
        StringBuffer sb = new StringBuffer();
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int me = i;
            ts[i] =
                    new Thread(
                            () -> {
                                for (int r = 0; r < 5; r++) {
                                    lock.lock();
                                    try {
                                        while (turn[0] != me) c.awaitUninterruptibly();
                                        sb.append(me);
                                        turn[0] = (me + 1) % 3;
                                        c.signalAll();
                                    } finally {
                                        lock.unlock();
                                    }
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(sb);
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("imse");
        }
        System.out.println(
                lock.tryLock() + " " + lock.getHoldCount() + lock.isHeldByCurrentThread());
        lock.unlock();
        CyclicBarrier cb = new CyclicBarrier(2, () -> System.out.println("barrier"));
        Thread cbt =
                new Thread(
                        () -> {
                            try {
                                cb.await();
                                cb.await();
                            } catch (Exception e) {
                            }
                        });
        cbt.start();
        cb.await();
        cb.await();
        cbt.join();
        Semaphore sem = new Semaphore(2);
        sem.acquire(2);
        System.out.println(sem.tryAcquire() + " " + sem.tryAcquire(5, TimeUnit.MILLISECONDS));
        sem.release(2);
        BlockingQueue<Integer> bq = new ArrayBlockingQueue<>(2);
        Thread prod =
                new Thread(
                        () -> {
                            try {
                                for (int i = 0; i < 100; i++) bq.put(i);
                            } catch (InterruptedException e) {
                            }
                        });
        prod.start();
        int q = 0;
        for (int i = 0; i < 100; i++) q += bq.take();
        System.out.println(q + " " + bq.poll(1, TimeUnit.MILLISECONDS));
        SynchronousQueue<String> sq = new SynchronousQueue<>();
        new Thread(
                        () -> {
                            try {
                                sq.put("hand");
                            } catch (InterruptedException e) {
                            }
                        })
                .start();
        System.out.println(sq.take());
        Exchanger<String> exch = new Exchanger<>();
        Thread et =
                new Thread(
                        () -> {
                            try {
                                System.out.println("t" + exch.exchange("fromT").length());
                            } catch (InterruptedException e) {
                            }
                        });
        et.start();
        String got = exch.exchange("fromMain");
        et.join();
        System.out.println(got);
        ReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock();
        rw.readLock().lock();
        System.out.println(rw.writeLock().tryLock());
        rw.readLock().unlock();
        rw.readLock().unlock();
        StampedLock st = new StampedLock();
        long stamp = st.tryOptimisticRead();
        System.out.println(st.validate(stamp));
        long ws = st.writeLock();
        System.out.println(st.validate(stamp));
        st.unlockWrite(ws);
        ScheduledExecutorService ses = Executors.newScheduledThreadPool(1);
        CountDownLatch tick = new CountDownLatch(3);
        ses.scheduleAtFixedRate(tick::countDown, 0, 2, TimeUnit.MILLISECONDS);
        System.out.println(
                tick.await(60, TimeUnit.SECONDS)
                        + " "
                        + ses.schedule(() -> "sched", 1, TimeUnit.MILLISECONDS).get());
        ses.shutdownNow();
        ConcurrentHashMap<Integer, Integer> chm = new ConcurrentHashMap<>();
        Thread[] ct = new Thread[4];
        for (int i = 0; i < 4; i++) {
            ct[i] =
                    new Thread(
                            () -> {
                                for (int k = 0; k < 2000; k++) chm.merge(k % 100, 1, Integer::sum);
                            });
            ct[i].start();
        }
        for (Thread t : ct) t.join();
        System.out.println(
                chm.size()
                        + " "
                        + chm.reduceValues(1, Integer::sum)
                        + " "
                        + chm.search(10, (k, v) -> k == 50 ? v : null));
        AtomicReference<String> ar = new AtomicReference<>("a");
        System.out.println(ar.compareAndSet("a", "b") + ar.getAndUpdate(x -> x + "c") + ar.get());
        AtomicIntegerArray aia = new AtomicIntegerArray(3);
        aia.accumulateAndGet(1, 5, Math::max);
        AtomicStampedReference<String> as = new AtomicStampedReference<>("x", 1);
        System.out.println(aia + " " + as.compareAndSet("x", "y", 1, 2) + as.getStamp());
        Phaser ph = new Phaser(1);
        System.out.println(ph.arrive() + " " + ph.getPhase());
        Timer tm = new Timer(true);
        CountDownLatch tl = new CountDownLatch(1);
        tm.schedule(
                new TimerTask() {
                    public void run() {
                        tl.countDown();
                    }
                },
                1);
        System.out.println(tl.await(60, TimeUnit.SECONDS));
        tm.cancel();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        System.out.println("parked");
        Thread pk =
                new Thread(
                        () -> {
                            LockSupport.park("blocker");
                            System.out.println(
                                    "unparked " + Thread.currentThread().isInterrupted());
                        });
        pk.start();
        while (pk.getState() != Thread.State.WAITING) Thread.yield();
        System.out.println(LockSupport.getBlocker(pk));
        pk.interrupt();
        pk.join();
        long t0 = System.nanoTime();
        LockSupport.parkNanos(5_000_000);
        System.out.println(System.nanoTime() - t0 > 1_000_000);
        ConcurrentLinkedQueue<Integer> clq = new ConcurrentLinkedQueue<>(List.of(1, 2));
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        for (Integer x : cow) cow.add(x * 10);
        System.out.println(clq.poll() + " " + cow);
    }
}
