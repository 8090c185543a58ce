import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;

/**
 * Two threads whose data lie in one cache line: nanoseconds for a step of one thread, by pattern.
 *
 * <pre>java Sharing PATTERN MILLIONS [ROUNDS]</pre>
 *
 * Each pattern but "garbage", "true" and "alone" has a form "-apart" in which the
 * program itself keeps them away from each other.
 */
public class Sharing {
    static final class Cell { volatile long value; }
    static final class Pair { volatile long left; volatile long right; }
    static final class PairApart { volatile long left; long a, b, c, d, e, f, g, h; volatile long right; }
    static final class Statics { static volatile long left; static volatile long right; }
    static final class StaticsApart { static volatile long left; static long a, b, c, d, e, f, g, h; static volatile long right; }
    static final class Lock { int count; }
    static long[] kept;

    /** One step is a store that others see, and a load. */
    interface Body { void run(int thread, long steps); }

    static Body body(String pattern) {
        int distance = pattern.endsWith("-apart") ? 20 : 1;
        switch (pattern) {
            case "cells": case "cells-apart": {
                Cell[] cells = Stream.generate(Cell::new).limit(8 * distance).toArray(Cell[]::new);
                return neighbours((i, steps) -> cells(cells[i * distance], steps));
            }
            case "garbage": {
                Cell[] cells = Stream.generate(Cell::new).limit(8).toArray(Cell[]::new);
                return neighbours((i, steps) -> garbage(cells[i], steps));
            }
            case "pair": {
                Pair pair = new Pair();
                return (thread, steps) -> { if (thread == 0) left(pair, steps); else right(pair, steps); };
            }
            case "pair-apart": {
                PairApart pair = new PairApart();
                return (thread, steps) -> { if (thread == 0) left(pair, steps); else right(pair, steps); };
            }
            case "statics":
                return (thread, steps) -> { if (thread == 0) leftStatic(steps); else rightStatic(steps); };
            case "statics-apart":
                return (thread, steps) -> { if (thread == 0) leftStaticApart(steps); else rightStaticApart(steps); };
            case "counters": case "counters-apart": {
                AtomicLong[] counters = Stream.generate(AtomicLong::new).limit(8 * distance).toArray(AtomicLong[]::new);
                return neighbours((i, steps) -> count(counters[i * distance], steps));
            }
            case "array": case "array-apart": {
                AtomicLongArray counters = new AtomicLongArray(64);
                return (thread, steps) -> count(counters, 24 + thread * distance, steps);
            }
            case "locks": case "locks-apart": {
                Lock[] locks = Stream.generate(Lock::new).limit(8 * distance).toArray(Lock[]::new);
                return neighbours((i, steps) -> lock(locks[i * distance], steps));
            }
            case "true": {
                Cell cell = new Cell();
                return (thread, steps) -> cells(cell, steps);
            }
            case "alone": {
                Cell cell = new Cell();
                return (thread, steps) -> { if (thread == 0) cells(cell, steps); };
            }
            default: throw new IllegalArgumentException("no pattern " + pattern);
        }
    }

    /**
     * Each of four pairs of neighbours for a quarter of the time: one of them or more lies in one line. No two have an object
     * in common, for one thread may be at the next pair before the other is.
     */
    static Body neighbours(Body body) {
        return (thread, steps) -> { for (int i = 0; i < 8; i += 2) body.run(i + thread, steps / 4); };
    }

    static void cells(Cell c, long steps) { for (long i = 0; i < steps; i++) c.value = c.value + 1; }
    static void garbage(Cell c, long steps) {
        for (long i = 0; i < steps; i++) {
            c.value = c.value + 1;
            if (i % 64 == 0) kept = new long[(int) c.value & 15];
        }
    }
    static void left(Pair p, long steps) { for (long i = 0; i < steps; i++) p.left = p.left + 1; }
    static void right(Pair p, long steps) { for (long i = 0; i < steps; i++) p.right = p.right + 1; }
    static void left(PairApart p, long steps) { for (long i = 0; i < steps; i++) p.left = p.left + 1; }
    static void right(PairApart p, long steps) { for (long i = 0; i < steps; i++) p.right = p.right + 1; }
    static void leftStatic(long steps) { for (long i = 0; i < steps; i++) Statics.left = Statics.left + 1; }
    static void rightStatic(long steps) { for (long i = 0; i < steps; i++) Statics.right = Statics.right + 1; }
    static void leftStaticApart(long steps) { for (long i = 0; i < steps; i++) StaticsApart.left = StaticsApart.left + 1; }
    static void rightStaticApart(long steps) { for (long i = 0; i < steps; i++) StaticsApart.right = StaticsApart.right + 1; }
    static void count(AtomicLong c, long steps) { for (long i = 0; i < steps; i++) c.incrementAndGet(); }
    static void count(AtomicLongArray c, int at, long steps) { for (long i = 0; i < steps; i++) c.incrementAndGet(at); }
    static void lock(Lock l, long steps) { for (long i = 0; i < steps; i++) synchronized (l) { l.count++; } }

    public static void main(String[] args) throws InterruptedException {
        Body body = body(args[0]);
        long steps = Long.parseLong(args[1]) * 1_000_000;
        run(body, steps / 50);
        for (int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 1; rounds > 0; rounds--) {
            long time = run(body, steps);
            System.out.printf(java.util.Locale.ROOT, "%s %.3f ns%n", args[0], (double) time / steps);
        }
    }

    static long run(Body body, long steps) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int thread = i;
            threads[i] = new Thread(() -> body.run(thread, steps), "worker-" + i);
        }
        long from = System.nanoTime();
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        return System.nanoTime() - from;
    }
}
