// vm: own -XX:MaxJavaStackTraceDepth=0
// covers: athrow(caught)
// Traces without a limit of length; native frames; arrays of every type in the sentence of a NullPointerException.
import java.lang.reflect.Array;

public class E13Traces {
    static int deep(int n) {
        if (n == 0) {
            throw new IllegalStateException("bottom");
        }
        return deep(n - 1) + 1;
    }

    static void frames(String what, Throwable t) {
        for (StackTraceElement e : t.getStackTrace()) {
            if (!e.getClassName().equals("E13Traces")) {
                System.out.println(what + " " + e.getClassName() + "." + e.getMethodName() + " native " + e.isNativeMethod()
                        + " line below 0 " + (e.getLineNumber() < 0));
            }
        }
    }

    interface Access {
        void run();
    }

    static void npe(Access a) {
        try {
            a.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    static boolean[] z;
    static byte[] b;
    static char[] c;
    static short[] s;
    static int[] i;
    static long[] l;
    static float[] f;
    static double[] d;
    static Object[] o;

    public static void main(String[] args) {
        try {
            deep(3000);
        } catch (IllegalStateException e) {
            System.out.println(e.getStackTrace().length);
        }
        try {
            Array.newInstance(int.class, -1);
        } catch (NegativeArraySizeException e) {
            frames("newInstance", e);
        }
        try {
            Class.forName("no.such.Class");
        } catch (ClassNotFoundException e) {
            for (StackTraceElement at : e.getStackTrace()) {
                if (at.getMethodName().equals("forName0")) {
                    System.out.println(at.isNativeMethod() + " " + at.getLineNumber() + " " + at.toString().contains("Native Method"));
                }
            }
        }
        npe(() -> z[0] = true);
        npe(() -> b[1] = 1);
        npe(() -> c[2] = 1);
        npe(() -> s[3] = 1);
        npe(() -> i[4] = 1);
        npe(() -> l[5] = 1);
        npe(() -> f[6] = 1);
        npe(() -> d[7] = 1);
        npe(() -> o[8] = null);
        npe(() -> System.out.println(z[0]));
        npe(() -> System.out.println(b[1]));
        npe(() -> System.out.println(c[2]));
        npe(() -> System.out.println(s[3]));
        npe(() -> System.out.println(i[4]));
        npe(() -> System.out.println(l[5]));
        npe(() -> System.out.println(f[6]));
        npe(() -> System.out.println(d[7]));
        npe(() -> System.out.println(o[8]));
    }
}
