// covers: JNI(Call*Method,CallNonvirtual*,CallStatic*,NewObject,AllocObject)
// native(arguments,results,mangling,synchronized)
import java.util.*;

public class JniTarget {
    static {
        System.loadLibrary("jnitest");
    }

    static StringBuilder log = new StringBuilder();

    static long mix(String who, int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j,
            double k, float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        System.out.println(who + " " + a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + (int) h + " "
                + i + " " + j + " " + k + " " + l + " " + m + " " + n + " " + o + " " + p + " " + q + " " + r + " " + s
                + " " + t + " " + u + " " + w);
        return who.hashCode();
    }

    JniTarget() {}

    JniTarget(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        mix("<init>", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
    }

    boolean mBoolean(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mBoolean", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x != 0;
    }

    byte mByte(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mByte", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (byte) x;
    }

    char mChar(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mChar", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (char) x;
    }

    short mShort(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mShort", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (short) x;
    }

    int mInt(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mInt", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (int) x;
    }

    long mLong(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mLong", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x << 20;
    }

    float mFloat(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mFloat", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x / 4f;
    }

    double mDouble(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mDouble", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x / 8.0;
    }

    Object mObject(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mObject", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return e;
    }

    void mVoid(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
            double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.mVoid", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
    }

    static boolean sBoolean(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j,
            double k, float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sBoolean", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x != 0;
    }

    static byte sByte(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sByte", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (byte) x;
    }

    static char sChar(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sChar", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (char) x;
    }

    static short sShort(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sShort", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (short) x;
    }

    static int sInt(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sInt", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return (int) x;
    }

    static long sLong(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sLong", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x << 20;
    }

    static float sFloat(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sFloat", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x / 4f;
    }

    static double sDouble(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sDouble", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return x / 8.0;
    }

    static Object sObject(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sObject", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        return e;
    }

    static void sVoid(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
            float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
        long x = mix("Target.sVoid", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
    }

    static class Sub extends JniTarget {
        Sub() {}

        Sub(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
                double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            super(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        }

        boolean mBoolean(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mBoolean", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return x != 0;
        }

        byte mByte(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mByte", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return (byte) x;
        }

        char mChar(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mChar", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return (char) x;
        }

        short mShort(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mShort", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return (short) x;
        }

        int mInt(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k, float l,
                double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mInt", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return (int) x;
        }

        long mLong(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mLong", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return x << 20;
        }

        float mFloat(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mFloat", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return x / 4f;
        }

        double mDouble(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mDouble", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return x / 8.0;
        }

        Object mObject(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mObject", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
            return e;
        }

        void mVoid(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j, double k,
                float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w) {
            long x = mix("Sub.mVoid", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, w);
        }
    }

    static native void calls(Object target, Class<?> base, Object arg);

    static native double receive(int a, long b, float c, double d, Object e, boolean f, byte g, char h, short i, float j,
            double k, float l, double m, float n, double o, float p, double q, long r, int s, double t, float u, long w);

    static native boolean backBoolean(long bits);

    static native byte backByte(long bits);

    static native char backChar(long bits);

    static native short backShort(long bits);

    static native int backInt(long bits);

    static native long backLong(long bits);

    static native float backFloat(long bits);

    static native double backDouble(long bits);

    native int dirty(int x);

    native int dirty(String s, int[] a);

    static native int with_underscore();

    static native int café();

    synchronized native boolean lockedInside(boolean fail);

    static native int recurse(int n);

    static native int notThere(int x);

    static int bounce(int n) {
        return n <= 0 ? 0 : recurse(n) + 1;
    }

    public static void main(String[] args) {
        calls(new Sub(), JniTarget.class, "arg");
        System.out.println(receive(-1, 1L << 60, 1.5f, -2.5, "x", true, (byte) -128, '\uffff', (short) -32768, 3f, 4, 5f, 6,
                7f, 8, 9f, 10, -11L, 12, 13, 14f, Long.MIN_VALUE));
        for (long b :
                new long[] {
                    0,
                    1,
                    -1,
                    127,
                    128,
                    255,
                    256,
                    65535,
                    65536,
                    -32768,
                    Integer.MAX_VALUE,
                    Long.MIN_VALUE
                })
            System.out.println(backBoolean(b & 1) + " " + backByte(b) + " " + (int) backChar(b) + " " + backShort(b) + " "
                    + backInt(b) + " " + backLong(b) + " " + backFloat(b) + " " + backDouble(b));
        JniTarget t = new JniTarget();
        System.out.println(t.dirty(4) + " " + t.dirty("four", new int[3]) + " " + with_underscore() + café());
        System.out.println(t.lockedInside(false) + " " + Thread.holdsLock(t));
        try {
            t.lockedInside(true);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(t) + " " + e.getStackTrace()[0]);
        }
        System.out.println(recurse(200));
        for (int i = 0; i < 2; i++)
            try {
                notThere(1);
            } catch (UnsatisfiedLinkError e) {
                System.out.println(e.getMessage());
            }
    }
}
