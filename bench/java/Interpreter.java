import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs each kernel a few times and prints its best thread CPU time: {@code kernel NAME NANOSECONDS
 * CHECKSUM}. Arguments: percent of the full size, repeats, and {@code objects} for the
 * object-oriented programs.
 */
public final class Interpreter {
    interface Clock {
        long nanos() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        int percent = Integer.parseInt(args[0]);
        int repeats = Integer.parseInt(args[1]);
        boolean objects = args.length > 2 && args[2].equals("objects");
        String[] names = objects ? Objects.NAMES : Kernels.NAMES;
        Clock clock = clock();
        for (int k = 0; k < names.length; k++) {
            if (args.length > 3 && !args[3].equals(names[k])) {
                continue;
            }
            int n = objects ? Math.max(1, Objects.SIZES[k] * percent / 100) : scaled(k, percent);
            Kernels.Kernel kernel = objects ? Objects.get(k) : Kernels.get(k);
            long best = Long.MAX_VALUE;
            long check = 0;
            for (int r = 0; r < repeats; r++) {
                long start = clock.nanos();
                check = kernel.run(n);
                best = Math.min(best, clock.nanos() - start);
            }
            System.out.println("kernel " + names[k] + " " + best + " " + check);
        }
    }

    private static int scaled(int k, int percent) {
        // fib's work is exponential in its argument.
        return k == 1 && percent < 100
                ? Kernels.SIZES[k] - 6
                : Math.max(1, (int) ((long) Kernels.SIZES[k] * percent / 100));
    }

    private static Clock clock() {
        try {
            ThreadMXBean bean = ManagementFactory.getThreadMXBean();
            if (bean.isCurrentThreadCpuTimeSupported() && bean.getCurrentThreadCpuTime() > 0) {
                System.out.println("clock ThreadMXBean");
                return bean::getCurrentThreadCpuTime;
            }
        } catch (LinkageError | UnsupportedOperationException | InternalError e) {
            System.out.println("no ThreadMXBean: " + e);
        }
        // The scheduler's own account of this thread; exact to one timer tick.
        System.out.println("clock schedstat");
        Path stat = Path.of("/proc/thread-self/schedstat");
        return () -> {
            String s = Files.readString(stat);
            return Long.parseLong(s.substring(0, s.indexOf(' ')));
        };
    }
}
