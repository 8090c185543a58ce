// vm: own -XX:+CriticalJNINatives
// skip-mode: deopt forced
// covers: option(CriticalJNINatives)
/** Critical natives: compiled code calls the function that gets the elements of arrays. */
public class J16Critical {
    static native double sumByte(byte[] a, int by, double d);

    static native double sumShort(short[] a, int by, double d);

    static native double sumInt(int[] a, int by, double d);

    static native double sumLong(long[] a, int by, double d);

    static native double sumFloat(float[] a, int by, double d);

    static native double sumDouble(double[] a, int by, double d);

    static native long many(int[] a, float f, byte[] b, short s, double g, long[] c, long l);

    static native byte narrow(long v);

    static native int calls();

    static double work(int n) {
        double sum = 0;
        byte[] a = new byte[7];
        short[] b = new short[5];
        int[] c = new int[9];
        long[] d = new long[3];
        float[] e = new float[11];
        double[] f = new double[2];
        for (int i = 0; i < n; i++) {
            sum += sumByte(a, i, 0.5) + sumShort(b, i, 1) + sumInt(c, i & 7, i) + sumLong(d, 1, 0);
            sum += sumFloat(e, i & 1, 0) + sumDouble(f, 2, 3) + sumInt(null, 4, 5) + sumLong(new long[0], 1, 0);
            sum += many(c, 1.5f, a, (short) -i, 2.5, d, -1L) % 1000 + narrow(i);
            if (i % 64 == 0) {
                a = a.clone();
                c = c.clone();
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("jnitest");
        Thread collects = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) System.gc();
        });
        collects.start();
        for (int i = 0; i < 6; i++) System.out.println(work(10_000));
        boolean interpreted = System.getProperty("java.vm.info").startsWith("interpreted");
        // The compiler may have much else to do first.
        long end = System.nanoTime() + 40_000_000_000L;
        while (!interpreted && calls() <= 1000 && System.nanoTime() < end) work(10_000);
        collects.interrupt();
        collects.join();
        System.out.println("critical functions were called: " + (interpreted || calls() > 1000));
    }
}
