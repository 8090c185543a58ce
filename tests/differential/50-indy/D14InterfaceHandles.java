import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Handles of interface methods, often enough to be compiled: receivers of many classes, some with more interfaces than a
 * table of supertypes has places; arguments in registers and in memory; default, private and inherited methods; receivers
 * that are null or implement nothing.
 */
public class D14InterfaceHandles {
    interface Op {
        int of(int x);

        default long many(long a, int b, double c, float d, byte e, String f, Object g, long h, double i) {
            return of(b) + a * 3 + (long) c + (long) d + e + f.length() + g.hashCode() + h + (long) i;
        }

        private int hidden(int x) {
            return of(x) - 1;
        }

        static MethodHandle hiddenHandle() throws ReflectiveOperationException {
            return MethodHandles.lookup().findVirtual(Op.class, "hidden", MethodType.methodType(int.class, int.class));
        }
    }

    interface Sub extends Op {
        int other();
    }

    record Plus(int n) implements Op {
        public int of(int x) {
            return x + n;
        }
    }

    static final class Both implements Sub, Comparable<Both> {
        public int of(int x) {
            return x * 3;
        }

        public int other() {
            return 17;
        }

        public int compareTo(Both b) {
            return 5;
        }

        @Override
        public long many(long a, int b, double c, float d, byte e, String f, Object g, long h, double i) {
            return a - h;
        }
    }

    static final class Late implements Op {
        public int of(int x) {
            return x ^ 0x55;
        }
    }

    interface I00 { default int m00(int x) { return x + 0; } }
    interface I01 { default int m01(int x) { return x + 1; } }
    interface I02 { default int m02(int x) { return x + 2; } }
    interface I03 { default int m03(int x) { return x + 3; } }
    interface I04 { default int m04(int x) { return x + 4; } }
    interface I05 { default int m05(int x) { return x + 5; } }
    interface I06 { default int m06(int x) { return x + 6; } }
    interface I07 { default int m07(int x) { return x + 7; } }
    interface I08 { default int m08(int x) { return x + 8; } }
    interface I09 { default int m09(int x) { return x + 9; } }
    interface I10 { default int m10(int x) { return x + 10; } }
    interface I11 { default int m11(int x) { return x + 11; } }
    interface I12 { default int m12(int x) { return x + 12; } }
    interface I13 { default int m13(int x) { return x + 13; } }
    interface I14 { default int m14(int x) { return x + 14; } }
    interface I15 { default int m15(int x) { return x + 15; } }
    interface I16 { default int m16(int x) { return x + 16; } }
    interface I17 { default int m17(int x) { return x + 17; } }
    interface I18 { default int m18(int x) { return x + 18; } }
    interface I19 { default int m19(int x) { return x + 19; } }
    interface I20 { default int m20(int x) { return x + 20; } }
    interface I21 { default int m21(int x) { return x + 21; } }
    interface I22 { default int m22(int x) { return x + 22; } }
    interface I23 { default int m23(int x) { return x + 23; } }
    interface I24 { default int m24(int x) { return x + 24; } }
    interface I25 { default int m25(int x) { return x + 25; } }
    interface I26 { default int m26(int x) { return x + 26; } }
    interface I27 { default int m27(int x) { return x + 27; } }
    interface I28 { default int m28(int x) { return x + 28; } }
    interface I29 { default int m29(int x) { return x + 29; } }
    interface I30 { default int m30(int x) { return x + 30; } }
    interface I31 { default int m31(int x) { return x + 31; } }
    interface I32 { default int m32(int x) { return x + 32; } }
    interface I33 { default int m33(int x) { return x + 33; } }
    interface I34 { default int m34(int x) { return x + 34; } }
    interface I35 { default int m35(int x) { return x + 35; } }
    interface I36 { default int m36(int x) { return x + 36; } }
    interface I37 { default int m37(int x) { return x + 37; } }
    interface I38 { default int m38(int x) { return x + 38; } }
    interface I39 { default int m39(int x) { return x + 39; } }
    interface I40 { default int m40(int x) { return x + 40; } }
    interface I41 { default int m41(int x) { return x + 41; } }
    interface I42 { default int m42(int x) { return x + 42; } }
    interface I43 { default int m43(int x) { return x + 43; } }
    interface I44 { default int m44(int x) { return x + 44; } }
    interface I45 { default int m45(int x) { return x + 45; } }
    interface I46 { default int m46(int x) { return x + 46; } }
    interface I47 { default int m47(int x) { return x + 47; } }
    interface I48 { default int m48(int x) { return x + 48; } }
    interface I49 { default int m49(int x) { return x + 49; } }
    interface I50 { default int m50(int x) { return x + 50; } }
    interface I51 { default int m51(int x) { return x + 51; } }
    interface I52 { default int m52(int x) { return x + 52; } }
    interface I53 { default int m53(int x) { return x + 53; } }
    interface I54 { default int m54(int x) { return x + 54; } }
    interface I55 { default int m55(int x) { return x + 55; } }
    interface I56 { default int m56(int x) { return x + 56; } }
    interface I57 { default int m57(int x) { return x + 57; } }
    interface I58 { default int m58(int x) { return x + 58; } }
    interface I59 { default int m59(int x) { return x + 59; } }
    interface I60 { default int m60(int x) { return x + 60; } }
    interface I61 { default int m61(int x) { return x + 61; } }
    interface I62 { default int m62(int x) { return x + 62; } }
    interface I63 { default int m63(int x) { return x + 63; } }
    interface I64 { default int m64(int x) { return x + 64; } }
    interface I65 { default int m65(int x) { return x + 65; } }
    interface I66 { default int m66(int x) { return x + 66; } }
    interface I67 { default int m67(int x) { return x + 67; } }
    interface I68 { default int m68(int x) { return x + 68; } }
    interface I69 { default int m69(int x) { return x + 69; } }
    interface I70 { default int m70(int x) { return x + 70; } }
    interface I71 { default int m71(int x) { return x + 71; } }
    interface I72 { default int m72(int x) { return x + 72; } }
    interface I73 { default int m73(int x) { return x + 73; } }
    interface I74 { default int m74(int x) { return x + 74; } }
    interface I75 { default int m75(int x) { return x + 75; } }
    interface I76 { default int m76(int x) { return x + 76; } }
    interface I77 { default int m77(int x) { return x + 77; } }
    interface I78 { default int m78(int x) { return x + 78; } }
    interface I79 { default int m79(int x) { return x + 79; } }

    static class Crowd implements Op, I00, I01, I02, I03, I04, I05, I06, I07, I08, I09, I10, I11, I12, I13, I14, I15, I16, I17, I18, I19, I20, I21, I22, I23, I24, I25, I26, I27, I28, I29, I30, I31, I32, I33, I34, I35, I36, I37, I38, I39, I40, I41, I42, I43, I44, I45, I46, I47, I48, I49, I50, I51, I52, I53, I54, I55, I56, I57, I58, I59, I60, I61, I62, I63, I64, I65, I66, I67, I68, I69, I70, I71, I72, I73, I74, I75, I76, I77, I78, I79 {
        public int of(int x) {
            return -x;
        }
    }

    static final class Crowded extends Crowd {
        public int m07(int x) {
            return 7 * x;
        }

        public int m79(int x) {
            return 79 * x;
        }
    }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final MethodHandle OF;
    static final MethodHandle MANY;
    static final MethodHandle HIDDEN;
    static final MethodHandle OTHER;
    static final MethodHandle[] CROWD = new MethodHandle[80];

    static {
        try {
            MethodType intToInt = MethodType.methodType(int.class, int.class);
            OF = LOOKUP.findVirtual(Op.class, "of", intToInt);
            MANY = LOOKUP.findVirtual(Op.class, "many", MethodType.methodType(long.class, long.class, int.class, double.class, float.class,
                byte.class, String.class, Object.class, long.class, double.class));
            HIDDEN = Op.hiddenHandle();
            OTHER = LOOKUP.findVirtual(Sub.class, "other", MethodType.methodType(int.class));
            for (int k = 0; k < CROWD.length; k++) {
                String number = (k < 10 ? "0" : "") + k;
                Class<?> c = Class.forName("D14InterfaceHandles$I" + number);
                CROWD[k] = LOOKUP.findVirtual(c, "m" + number, intToInt).asType(MethodType.methodType(int.class, Object.class, int.class));
            }
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static int sum(Op[] ops, int n) throws Throwable {
        int r = 0;
        for (int k = 0; k < n; k++) {
            Op o = ops[k % ops.length];
            r = r * 7 + (int) OF.invokeExact(o, k) + (int) HIDDEN.invokeExact(o, r);
            if (o instanceof Sub) {
                r += (int) OTHER.invokeExact((Sub) o);
            }
        }
        return r;
    }

    static long many(Op[] ops, int n) throws Throwable {
        long r = 0;
        for (int k = 0; k < n; k++) {
            r = r * 5 + (long) MANY.invokeExact(ops[k % ops.length], r, k, k * 0.5, -k * 0.25f, (byte) k, "x", (Object) "y", 1L << k, 7.5);
        }
        return r;
    }

    static String fails(MethodHandle h, Object o) {
        try {
            return "" + (int) h.invoke(o, 1);
        } catch (Throwable t) {
            return t.getClass().getName();
        }
    }

    public static void main(String[] args) throws Throwable {
        Op[] ops = {new Plus(1), new Both(), new Crowd(), new Crowded(), x -> x << 2};
        for (int round = 0; round < 6; round++) {
            System.out.println(sum(ops, 3000) + " " + many(ops, 3000));
            if (round == 3) {
                ops[0] = new Late();
            }
            int all = 0;
            Object[] crowds = {new Crowd(), new Crowded()};
            for (int k = 0; k < 400 * CROWD.length; k++) {
                all = all * 3 + (int) CROWD[k % CROWD.length].invokeExact(crowds[k / 3 % 2], k);
            }
            System.out.println(all);
            String last = "";
            for (int k = 0; k < 400; k++) {
                last = fails(OF, null) + fails(HIDDEN, null) + fails(OF, "s") + fails(CROWD[3], ops[1]) + fails(OF, ops[2]);
            }
            System.out.println(last);
        }
    }
}
