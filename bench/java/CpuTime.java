import java.lang.management.ManagementFactory;

/** What something costs the thread that does it. */
final class CpuTime {
    interface Work {
        int run() throws Throwable;
    }

    /** Keeps results alive. */
    static int all;

    private CpuTime() {
    }

    /** Nanoseconds of thread CPU time for one time, the best of some rounds, each of at least so many nanoseconds. */
    static double best(int rounds, long nanoseconds, int batch, Work what) throws Throwable {
        var threads = ManagementFactory.getThreadMXBean();
        double best = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            long start = threads.getCurrentThreadCpuTime(), now = start;
            int times = 0;
            for (; now < start + nanoseconds; now = threads.getCurrentThreadCpuTime()) {
                for (int k = 0; k < batch; k++, times++) {
                    all += what.run();
                }
            }
            best = Math.min(best, (double) (now - start) / times);
        }
        return best;
    }
}
