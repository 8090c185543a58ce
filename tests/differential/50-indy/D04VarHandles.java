// covers: invokevirtual(VarHandle)
import java.lang.invoke.*;
import java.nio.*;

public class D04VarHandles {
    boolean z;
    byte b;
    short s;
    char c;
    int i;
    long l;
    float f;
    double d;
    Object o;
    volatile int vi;
    static int si;
    final int fin = 4;

    static VarHandle vh(String n, Class<?> t) throws Exception {
        return MethodHandles.lookup().findVarHandle(D04VarHandles.class, n, t);
    }

    public static void main(String[] args) throws Throwable {
        D04VarHandles x = new D04VarHandles();
        VarHandle I = vh("i", int.class),
                L = vh("l", long.class),
                O = vh("o", Object.class),
                B = vh("b", byte.class),
                S = vh("s", short.class),
                C = vh("c", char.class),
                Z = vh("z", boolean.class),
                F = vh("f", float.class),
                D = vh("d", double.class);
        I.set(x, 5);
        I.setVolatile(x, (int) I.get(x) + 1);
        I.setOpaque(x, (int) I.getVolatile(x) + 1);
        I.setRelease(x, (int) I.getAcquire(x) + 1);
        System.out.println((int) I.getOpaque(x));
        System.out.println(
                I.compareAndSet(x, 8, 9)
                        + " "
                        + I.compareAndSet(x, 8, 10)
                        + " "
                        + (int) I.compareAndExchange(x, 9, 11)
                        + " "
                        + (int) I.compareAndExchange(x, 9, 12)
                        + " "
                        + (int) I.getAndSet(x, 20)
                        + " "
                        + (int) I.getAndAdd(x, 5)
                        + " "
                        + (int) I.getAndBitwiseOr(x, 64)
                        + " "
                        + (int) I.getAndBitwiseAnd(x, 80)
                        + " "
                        + (int) I.getAndBitwiseXor(x, 3)
                        + " "
                        + x.i);
        L.set(x, 1L << 40);
        System.out.println(
                (long) L.getAndAdd(x, 1L)
                        + " "
                        + L.compareAndSet(x, (1L << 40) + 1, -1L)
                        + " "
                        + (long) L.getVolatile(x)
                        + " "
                        + (long) L.compareAndExchangeAcquire(x, -1L, 7L)
                        + (long) L.getAndSetRelease(x, 8L));
        O.set(x, "a");
        System.out.println(
                O.compareAndSet(x, "a", "b")
                        + " "
                        + (Object) O.getAndSet(x, null)
                        + " "
                        + O.get(x)
                        + " "
                        + O.weakCompareAndSetPlain(x, "zz", "y"));
        B.set(x, (byte) -5);
        System.out.println(
                (byte) B.getAndAdd(x, (byte) 3)
                        + " "
                        + B.compareAndSet(x, (byte) -2, (byte) 100)
                        + " "
                        + (byte) B.getVolatile(x)
                        + " "
                        + x.b);
        S.set(x, (short) -500);
        System.out.println(
                (short) S.getAndAdd(x, (short) 1)
                        + " "
                        + S.compareAndSet(x, (short) -499, (short) 3)
                        + x.s);
        C.set(x, 'a');
        System.out.println(
                (char) C.getAndAdd(x, (char) 1) + " " + C.compareAndSet(x, 'b', 'z') + x.c);
        Z.set(x, true);
        System.out.println(
                (boolean) Z.getAndSet(x, false)
                        + " "
                        + Z.compareAndSet(x, false, true)
                        + x.z
                        + (boolean) Z.getAndBitwiseXor(x, true));
        F.set(x, 1.5f);
        System.out.println(
                (float) F.getAndAdd(x, 1f)
                        + " "
                        + F.compareAndSet(x, 2.5f, Float.NaN)
                        + " "
                        + F.compareAndSet(x, Float.NaN, 0f));
        D.set(x, -0.0);
        System.out.println(
                D.compareAndSet(x, 0.0, 1.0)
                        + " "
                        + D.compareAndSet(x, -0.0, 2.0)
                        + " "
                        + (double) D.getAndAdd(x, 0.5));
        VarHandle SI =
                MethodHandles.lookup().findStaticVarHandle(D04VarHandles.class, "si", int.class);
        SI.set(3);
        System.out.println((int) SI.getAndAdd(4) + si);
        VarHandle A = MethodHandles.arrayElementVarHandle(int[].class),
                OA = MethodHandles.arrayElementVarHandle(String[].class),
                LA = MethodHandles.arrayElementVarHandle(long[].class);
        int[] a = new int[3];
        String[] sa = new String[2];
        long[] la = new long[2];
        A.set(a, 1, 5);
        System.out.println((int) A.getAndAdd(a, 1, 2) + a[1] + " " + A.compareAndSet(a, 1, 7, 8));
        OA.setVolatile(sa, 0, "s");
        System.out.println(
                (String) OA.getAcquire(sa, 0) + OA.compareAndSet(sa, 1, null, "t") + sa[1]);
        LA.setRelease(la, 1, 9L);
        System.out.println((long) LA.getVolatile(la, 1));
        try {
            A.get(a, 3);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            A.set((int[]) null, 0, 1);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            OA.set((Object) new Object[1], 0, "x");
        } catch (ClassCastException e) {
            System.out.println("cce");
        }
        try {
            I.set(x, "wrong");
        } catch (WrongMethodTypeException e) {
            System.out.println(e.getMessage());
        }
        try {
            vh("fin", int.class).set(x, 1);
        } catch (UnsupportedOperationException e) {
            System.out.println("uoe " + e.getMessage());
        }
        try {
            O.getAndAdd(x, "q");
        } catch (UnsupportedOperationException e) {
            System.out.println("uoe");
        }
        VarHandle BI = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN),
                BL = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN),
                BB = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
        byte[] by = new byte[32];
        BI.set(by, 3, 0x01020304);
        System.out.println(
                by[3] + " " + by[6] + " " + (int) BI.get(by, 3) + " " + (long) BL.get(by, 1));
        try {
            BI.get(by, 29);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        ByteBuffer buf = ByteBuffer.allocateDirect(32);
        BB.set(buf, 8, 77L);
        System.out.println(
                (long) BB.getVolatile(buf, 8)
                        + " "
                        + (long) BB.getAndAdd(buf, 8, 1L)
                        + buf.order(ByteOrder.nativeOrder()).getLong(8));
        System.out.println(
                I.varType()
                        + " "
                        + I.coordinateTypes()
                        + I.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD)
                        + O.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD));
        MethodHandle mh = I.toMethodHandle(VarHandle.AccessMode.GET_AND_ADD);
        System.out.println((int) mh.invokeExact(x, 1) + x.i);
        VarHandle.fullFence();
        VarHandle.acquireFence();
        VarHandle.releaseFence();
        VarHandle.loadLoadFence();
        VarHandle.storeStoreFence();
        int t = 0;
        for (int k = 0; k < 3000; k++) t += (int) I.getAndAdd(x, 1);
        System.out.println(t);
    }
}
