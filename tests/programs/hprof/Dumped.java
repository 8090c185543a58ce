import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Dumps itself: objects of every kind of field and array. */
public class Dumped {
    static class Parent {
        private int same = 1;
        Object link;
    }
    static class Child extends Parent {
        private int same = 2;
        boolean z = true;
        byte b = -3;
        char c = '\u1234';
        short s = -300;
        int i = 70_000;
        long j = 1L << 40;
        float f = 1.5f;
        double d = -2.25;
        String text = "h\u00e9llo";
    }
    static Child child = new Child();
    static long number = 0x1122334455667788L;
    static Object[] objects = {child, "two", null, new int[] {1, 2, 3}};
    static int[][] matrix = {{1}, {2, 3}, {}};
    static double[] doubles = {0.5, -1};
    static boolean[] flags = {true, false, true};
    static char[] letters = {'a', '\u20ac'};
    static byte[] large = new byte[3 << 20];
    static Class<?> type = Runnable.class;

    public static void main(String[] args) throws Exception {
        child.link = objects;
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) i;
        }
        Thread t = new Thread(() -> {
            Child onTheStack = new Child();
            onTheStack.i = 4711;
            synchronized (onTheStack) {
                pause(onTheStack);
            }
        }, "Sleeper");
        t.setDaemon(true);
        t.start();
        while (t.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        var bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        bean.dumpHeap(args[0], true);
        try {
            bean.dumpHeap(args[0], true);
        } catch (java.io.IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            bean.dumpHeap("no-suffix", true);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    static void pause(Object kept) {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(kept.toString(), e);
        }
    }
}
