/** Native methods and other things that HotSpot cannot run as they are. */
public class Natives {
    static native boolean dirtyBoolean();
    static native byte dirtyByte();
    static native char dirtyChar();
    static native short dirtyShort();
    static native long mix(int a, long b, int c);
    static native void fails();
    static synchronized native void nothing();
    static native int callback(int depth);

    static int results() { return (dirtyBoolean() ? 1 : 0) + dirtyByte() * 10 + dirtyChar() + dirtyShort(); }
    static long arguments(int n) { long s = 0; for (int i = 0; i < n; i++) s += mix(i, 1L << 40, i * 2); nothing(); return s; }
    static int failing() { try { fails(); return 1; } catch (IllegalStateException e) { return 2; } }
    static int called(int n) { if (n == 0) throw new IllegalStateException(); return n == 1 ? 7 : callback(n - 1) + 1; }
    static int catching() { try { return callback(0); } catch (IllegalStateException e) { return 3; } }
    static int deep(int n) { return callback(n); }

    static int shared;
    static final Object lock = new Object();
    static void increment(int n) { for (int i = 0; i < n; i++) synchronized (lock) { shared++; } }
    static int spin(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
    static Object identity(Object o) { return o; }
    static int uncaught(int n) { synchronized (lock) { return n == 0 ? 1 / n : uncaught(n - 1) + 1; } }
    static int dekkerA, dekkerB;
    static int storeALoadB() { dekkerA = 1; return dekkerB; }
    static int storeBLoadA() { dekkerB = 1; return dekkerA; }
    static void clear() { dekkerA = 0; dekkerB = 0; }

    static int reached;
    static int down(int a) { reached++; return down(a + 1) + 1; }
    static int dive() { reached = 0; try { return down(0); } catch (StackOverflowError e) { return reached; } }

    static native void walk();
    static void walked(int n) { walked2(2, n); }
    static long walked2(int k, long x) { if (k == 0) walk(); else x += walked2(k - 1, x); return x; }

    private int anInt = 7; private boolean flag = true; private long aLong = 40; private double aDouble = -5; private Natives self;
    int getInt() { return anInt; }
    boolean getFlag() { return flag; }
    long getLong() { return aLong; }
    double getDouble() { return aDouble; }
    Natives getSelf() { return self; }
    void empty(int a, long b) { }
    static long getters(int n) {
        Natives o = new Natives(); o.self = o; long s = 0;
        for (int i = 0; i < n; i++) { o.empty(i, s); s += o.getInt() + (o.getFlag() ? 1 : 0) + o.getLong() + (long) o.getSelf().getDouble(); }
        return s;
    }
    static long nullGetter() { return new Natives().getSelf().getLong(); }
}
