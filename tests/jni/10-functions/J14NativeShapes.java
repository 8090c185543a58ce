// covers: JNI(native methods called by compiled code: arguments, results, exceptions)
/** Natives of many shapes in loops that get compiled. */
public class J14NativeShapes {
    static native long staticInts(int a, int b, int c, int d, int e, int f, int g, int h);

    native long ints(int a, int b, int c, int d, int e, int f, int g, int h);

    static native long staticFive(long a, int b, short c, byte d, char e);

    native long five(long a, int b, short c, byte d, char e);

    static native double staticFloats(float a, double b, float c, double d, float e, double f, float g, double h,
            float i, double j, float k);

    native float floats(float a, double b, float c, double d, float e, double f, float g, double h, float i, double j,
            float k);

    static native long staticMixed(String a, int b, double c, boolean d, float e, long f, byte g, String h, double i,
            double j, float k, double l, double m, float n, char o, String p, double q, short r, long s, String t);

    native long mixed(String a, int b, double c, boolean d, float e, long f, byte g, String h, double i, double j,
            float k, double l, double m, float n, char o, String p, double q, short r, long s, String t);

    static native boolean dirtyBoolean(long v);

    static native byte dirtyByte(long v);

    static native char dirtyChar(long v);

    static native short dirtyShort(long v);

    static native int dirtyInt(long v);

    static native long dirtyLong(long v);

    native Object reference(int which, Object a, Object b);

    static native int kinds(Object a, Object none, Object b);

    static native int throwInt(int n);

    native Object throwReference(int n, Object a);

    static native double throwDouble(double d);

    static final int N = 20_000;

    void arguments() {
        long sum = 0;
        double floats = 0;
        for (int i = -N; i < N; i++) {
            long l = i * 0x1_2345_6789L;
            String s = (i & 3) == 0 ? null : "text".substring(i & 3);
            sum = sum * 17 + staticInts(i, i + 1, -i, 4, i * i, 6, ~i, i << 16);
            sum = sum * 17 + ints(i, i + 1, -i, 4, i * i, 6, ~i, i << 16);
            sum = sum * 17 + staticFive(l, i, (short) i, (byte) i, (char) i);
            sum = sum * 17 + five(l, i, (short) i, (byte) i, (char) i);
            floats += staticFloats(i, i, 3, i, -i, 6.5, i, 8, i, i * 0.5, -i);
            floats += floats(i, i, 3, i, -i, 6.5, i, 8, i, i * 0.5, -i);
            sum = sum * 17 + staticMixed(s, i, i * 0.25, (i & 1) == 0, i, l, (byte) i, "four", 1.5, i, 2, 3, i, 5,
                    (char) i, s, 7.5, (short) i, -l, "");
            sum = sum * 17 + mixed(s, i, i * 0.25, (i & 1) == 0, i, l, (byte) i, null, 1.5, i, 2, 3, i, 5, (char) i,
                    "xyz", 7.5, (short) i, -l, s);
        }
        System.out.println(sum + " " + floats);
    }

    static void results() {
        long sum = 0;
        for (long i = 0; i < N; i++) {
            long v = i * 0x9E3779B97F4A7C15L;
            int z = dirtyBoolean(v << 4 & ~0xf0L) ? 1 : 2;
            sum = sum * 31 + z;
            sum = sum * 31 + dirtyByte(v);
            sum = sum * 31 + dirtyChar(v);
            sum = sum * 31 + dirtyShort(v);
            sum = sum * 31 + dirtyInt(v);
            sum = sum * 31 + dirtyLong(v);
        }
        System.out.println(sum);
        System.out.println(dirtyBoolean(0xffff_ff00L) + " " + dirtyBoolean(2) + " " + dirtyByte(0x180) + " "
                + (int) dirtyChar(-1) + " " + dirtyShort(0x18000) + " " + dirtyInt(0x1_8000_0000L));
    }

    void references() {
        int[] count = new int[10];
        Object first = new Object(), second = new Object();
        int kinds = 0;
        for (int i = 0; i < N; i++) {
            Object a = i == 6 ? first : new Object(), b = i == 7 ? second : new Object();
            int which = i % 10;
            Object r = reference(which, a, b);
            Object want = switch (which) {
                case 0 -> null;
                case 1 -> this;
                case 2, 4 -> a;
                case 3, 5 -> b;
                case 6 -> first;
                case 7 -> second;
                case 8 -> r;
                default -> J14NativeShapes.class;
            };
            if (r == want && (which != 8 || r.equals("new"))) count[which]++;
            kinds += kinds(a, null, i % 2 == 0 ? a : b);
        }
        System.out.println(java.util.Arrays.toString(count) + " " + kinds);
    }

    void exceptions() {
        int thrown = 0, messages = 0;
        double sum = 0;
        for (int i = 1; i < N; i++) {
            try {
                sum += throwInt(i);
            } catch (IllegalStateException e) {
                thrown++;
                messages += e.getMessage().hashCode();
            }
            try {
                if (throwReference(i, "a") == this) sum++;
            } catch (IllegalStateException e) {
                thrown++;
                if (!e.getStackTrace()[0].isNativeMethod()) System.out.println(e.getStackTrace()[0]);
            }
            try {
                sum += throwDouble(i);
            } catch (IllegalStateException e) {
                thrown++;
            }
        }
        System.out.println(thrown + " " + messages + " " + sum);
    }

    public static void main(String[] args) {
        System.loadLibrary("jnitest");
        J14NativeShapes o = new J14NativeShapes();
        for (int i = 0; i < 2; i++) {
            o.arguments();
            results();
            o.references();
            o.exceptions();
        }
    }
}
