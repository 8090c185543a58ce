import java.lang.management.ManagementFactory;
import java.util.function.IntToLongFunction;

/** What a call of a native method costs: {@code Natives LIBRARY CALLS} prints nanoseconds of thread CPU time per call, and a check. */
public class Natives {
    static native void nothing();
    static native int number(int n);
    static native long three(long x, long y, long z);
    static native double real(double x, double y);
    native int own(int n);
    static native Object same(Object o);
    static native long many(int a, long b, double d, int f, long g, int h, long i, float j, int k, long l);

    static final Natives INSTANCE = new Natives();

    static long callNothing(int n) { for (int i = 0; i < n; i++) nothing(); return n; }
    static long callNumber(int n) { int s = 0; for (int i = 0; i < n; i++) s = number(s); return s; }
    static long callThree(int n) { long s = 0; for (int i = 0; i < n; i++) s = three(s, i, 3); return s; }
    static long callReal(int n) { double s = 0; for (int i = 0; i < n; i++) s = real(s, 0.5); return (long) s; }
    static long callOwn(int n) { int s = 0; for (int i = 0; i < n; i++) s = INSTANCE.own(s); return s; }
    static long callSame(int n) {
        Object o = "x";
        for (int i = 0; i < n; i++) o = same(o);
        return o.hashCode();
    }
    static long callMany(int n) { long s = 0; for (int i = 0; i < n; i++) s = many(i, s, 1.5, 2, 3, 4, 5, 6.5f, 7, 8); return s; }
    static long callVm(int n) { long s = 0; for (int i = 0; i < n; i++) s += Runtime.getRuntime().maxMemory() > i ? 1 : 0; return s; }

    static void measure(String name, int calls, IntToLongFunction loop) {
        var threads = ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE, check = 0;
        for (int i = 0; i < 7; i++) {
            long start = threads.getCurrentThreadCpuTime();
            check += loop.applyAsLong(calls);
            best = Math.min(best, threads.getCurrentThreadCpuTime() - start);
        }
        System.out.printf("%s %.2f %d%n", name, (double) best / calls, check);
    }

    public static void main(String[] args) {
        System.load(args[0]);
        int calls = Integer.parseInt(args[1]);
        measure("nothing", calls, Natives::callNothing);
        measure("int", calls, Natives::callNumber);
        measure("three-longs", calls, Natives::callThree);
        measure("two-doubles", calls, Natives::callReal);
        measure("instance", calls, Natives::callOwn);
        measure("reference", calls, Natives::callSame);
        measure("ten-mixed", calls, Natives::callMany);
        measure("of-the-vm", calls, Natives::callVm);
    }
}
