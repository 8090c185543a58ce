// covers: instanceof(true,false,null) checkcast(cce,null) aastore(arraystore,null) invokeinterface(megamorphic,default)
/**
 * Supertypes beyond the first eight of the chain, and more interfaces than a table of 64 places holds:
 * every test and every interface call must find its own, interpreted and compiled.
 */
public class C40Supertypes {
    interface Named {
        String name();
    }
    interface I0 { default int m0() { return 1; } }
    interface I1 { default int m1() { return 8; } }
    interface I2 { default int m2() { return 15; } }
    interface I3 { default int m3() { return 22; } }
    interface I4 extends I1 { default int m4() { return 29; } }
    interface I5 { default int m5() { return 36; } }
    interface I6 { default int m6() { return 43; } }
    interface I7 { default int m7() { return 50; } }
    interface I8 { default int m8() { return 57; } }
    interface I9 extends I6 { default int m9() { return 64; } }
    interface I10 { default int m10() { return 71; } }
    interface I11 { default int m11() { return 78; } }
    interface I12 { default int m12() { return 85; } }
    interface I13 { default int m13() { return 92; } }
    interface I14 extends I11 { default int m14() { return 99; } }
    interface I15 { default int m15() { return 106; } }
    interface I16 { default int m16() { return 113; } }
    interface I17 { default int m17() { return 120; } }
    interface I18 { default int m18() { return 127; } }
    interface I19 extends I16 { default int m19() { return 134; } }
    interface I20 { default int m20() { return 141; } }
    interface I21 { default int m21() { return 148; } }
    interface I22 { default int m22() { return 155; } }
    interface I23 { default int m23() { return 162; } }
    interface I24 extends I21 { default int m24() { return 169; } }
    interface I25 { default int m25() { return 176; } }
    interface I26 { default int m26() { return 183; } }
    interface I27 { default int m27() { return 190; } }
    interface I28 { default int m28() { return 197; } }
    interface I29 extends I26 { default int m29() { return 204; } }
    interface I30 { default int m30() { return 211; } }
    interface I31 { default int m31() { return 218; } }
    interface I32 { default int m32() { return 225; } }
    interface I33 { default int m33() { return 232; } }
    interface I34 extends I31 { default int m34() { return 239; } }
    interface I35 { default int m35() { return 246; } }
    interface I36 { default int m36() { return 253; } }
    interface I37 { default int m37() { return 260; } }
    interface I38 { default int m38() { return 267; } }
    interface I39 extends I36 { default int m39() { return 274; } }
    interface I40 { default int m40() { return 281; } }
    interface I41 { default int m41() { return 288; } }
    interface I42 { default int m42() { return 295; } }
    interface I43 { default int m43() { return 302; } }
    interface I44 extends I41 { default int m44() { return 309; } }
    interface I45 { default int m45() { return 316; } }
    interface I46 { default int m46() { return 323; } }
    interface I47 { default int m47() { return 330; } }
    interface I48 { default int m48() { return 337; } }
    interface I49 extends I46 { default int m49() { return 344; } }
    interface I50 { default int m50() { return 351; } }
    interface I51 { default int m51() { return 358; } }
    interface I52 { default int m52() { return 365; } }
    interface I53 { default int m53() { return 372; } }
    interface I54 extends I51 { default int m54() { return 379; } }
    interface I55 { default int m55() { return 386; } }
    interface I56 { default int m56() { return 393; } }
    interface I57 { default int m57() { return 400; } }
    interface I58 { default int m58() { return 407; } }
    interface I59 extends I56 { default int m59() { return 414; } }
    interface I60 { default int m60() { return 421; } }
    interface I61 { default int m61() { return 428; } }
    interface I62 { default int m62() { return 435; } }
    interface I63 { default int m63() { return 442; } }
    interface I64 extends I61 { default int m64() { return 449; } }
    interface I65 { default int m65() { return 456; } }
    interface I66 { default int m66() { return 463; } }
    interface I67 { default int m67() { return 470; } }
    interface I68 { default int m68() { return 477; } }
    interface I69 extends I66 { default int m69() { return 484; } }

    static class D0 {}
    static class D1 extends D0 {}
    static class D2 extends D1 {}
    static class D3 extends D2 implements I1, I33 {}
    static class D4 extends D3 {}
    static class D5 extends D4 {}
    static class D6 extends D5 implements Named { public String name() { return "six"; } }
    static class D7 extends D6 {}
    static class D8 extends D7 {}
    static class D9 extends D8 implements I2 {}
    static class D10 extends D9 { public String name() { return "ten"; } }
    static class D11 extends D10 {}
    static class D12 extends D11 implements I65, Comparable<D3> { public int compareTo(D3 o) { return 12; } }
    static class D13 extends D12 {}
    static final class Few implements I5, I64, I69 {}
    static final class Half implements I0, I2, I4, I6, I8, I10, I12, I14, I16, I18, I20, I22, I24, I26, I28, I30, I32, I34, I36, I38, I40, I42, I44, I46, I48, I50, I52, I54, I56, I58, I60, I62, I64, I66, I68 {}
    static final class All implements I0, I1, I2, I3, I4, I5, I6, I7, I8, I9, I10, I11, I12, I13, I14, I15, I16, I17, I18, I19, I20, I21, I22, I23, I24, I25, I26, I27, I28, I29, I30, I31, I32, I33, I34, I35, I36, I37, I38, I39, I40, I41, I42, I43, I44, I45, I46, I47, I48, I49, I50, I51, I52, I53, I54, I55, I56, I57, I58, I59, I60, I61, I62, I63, I64, I65, I66, I67, I68, I69, Named { public String name() { return "all"; } }
    static final class None {}

    /** Bit i: the object is an instance of interface i. */
    static long mask0(Object o) {
        long m = 0;
        m |= o instanceof I0 ? 1L : 0;
        m |= o instanceof I1 ? 2L : 0;
        m |= o instanceof I2 ? 4L : 0;
        m |= o instanceof I3 ? 8L : 0;
        m |= o instanceof I4 ? 16L : 0;
        m |= o instanceof I5 ? 32L : 0;
        m |= o instanceof I6 ? 64L : 0;
        m |= o instanceof I7 ? 128L : 0;
        m |= o instanceof I8 ? 256L : 0;
        m |= o instanceof I9 ? 512L : 0;
        m |= o instanceof I10 ? 1024L : 0;
        m |= o instanceof I11 ? 2048L : 0;
        m |= o instanceof I12 ? 4096L : 0;
        m |= o instanceof I13 ? 8192L : 0;
        m |= o instanceof I14 ? 16384L : 0;
        m |= o instanceof I15 ? 32768L : 0;
        m |= o instanceof I16 ? 65536L : 0;
        m |= o instanceof I17 ? 131072L : 0;
        m |= o instanceof I18 ? 262144L : 0;
        m |= o instanceof I19 ? 524288L : 0;
        m |= o instanceof I20 ? 1048576L : 0;
        m |= o instanceof I21 ? 2097152L : 0;
        m |= o instanceof I22 ? 4194304L : 0;
        m |= o instanceof I23 ? 8388608L : 0;
        m |= o instanceof I24 ? 16777216L : 0;
        m |= o instanceof I25 ? 33554432L : 0;
        m |= o instanceof I26 ? 67108864L : 0;
        m |= o instanceof I27 ? 134217728L : 0;
        m |= o instanceof I28 ? 268435456L : 0;
        m |= o instanceof I29 ? 536870912L : 0;
        m |= o instanceof I30 ? 1073741824L : 0;
        m |= o instanceof I31 ? 2147483648L : 0;
        m |= o instanceof I32 ? 4294967296L : 0;
        m |= o instanceof I33 ? 8589934592L : 0;
        m |= o instanceof I34 ? 17179869184L : 0;
        return m;
    }

    static long mask1(Object o) {
        long m = 0;
        m |= o instanceof I35 ? 1L : 0;
        m |= o instanceof I36 ? 2L : 0;
        m |= o instanceof I37 ? 4L : 0;
        m |= o instanceof I38 ? 8L : 0;
        m |= o instanceof I39 ? 16L : 0;
        m |= o instanceof I40 ? 32L : 0;
        m |= o instanceof I41 ? 64L : 0;
        m |= o instanceof I42 ? 128L : 0;
        m |= o instanceof I43 ? 256L : 0;
        m |= o instanceof I44 ? 512L : 0;
        m |= o instanceof I45 ? 1024L : 0;
        m |= o instanceof I46 ? 2048L : 0;
        m |= o instanceof I47 ? 4096L : 0;
        m |= o instanceof I48 ? 8192L : 0;
        m |= o instanceof I49 ? 16384L : 0;
        m |= o instanceof I50 ? 32768L : 0;
        m |= o instanceof I51 ? 65536L : 0;
        m |= o instanceof I52 ? 131072L : 0;
        m |= o instanceof I53 ? 262144L : 0;
        m |= o instanceof I54 ? 524288L : 0;
        m |= o instanceof I55 ? 1048576L : 0;
        m |= o instanceof I56 ? 2097152L : 0;
        m |= o instanceof I57 ? 4194304L : 0;
        m |= o instanceof I58 ? 8388608L : 0;
        m |= o instanceof I59 ? 16777216L : 0;
        m |= o instanceof I60 ? 33554432L : 0;
        m |= o instanceof I61 ? 67108864L : 0;
        m |= o instanceof I62 ? 134217728L : 0;
        m |= o instanceof I63 ? 268435456L : 0;
        m |= o instanceof I64 ? 536870912L : 0;
        m |= o instanceof I65 ? 1073741824L : 0;
        m |= o instanceof I66 ? 2147483648L : 0;
        m |= o instanceof I67 ? 4294967296L : 0;
        m |= o instanceof I68 ? 8589934592L : 0;
        m |= o instanceof I69 ? 17179869184L : 0;
        return m;
    }

    static int depth(Object o) {
        int d = 0;
        d += o instanceof D0 ? 1 : 0;
        d += o instanceof D1 ? 1 : 0;
        d += o instanceof D2 ? 1 : 0;
        d += o instanceof D3 ? 1 : 0;
        d += o instanceof D4 ? 1 : 0;
        d += o instanceof D5 ? 1 : 0;
        d += o instanceof D6 ? 1 : 0;
        d += o instanceof D7 ? 1 : 0;
        d += o instanceof D8 ? 1 : 0;
        d += o instanceof D9 ? 1 : 0;
        d += o instanceof D10 ? 1 : 0;
        d += o instanceof D11 ? 1 : 0;
        d += o instanceof D12 ? 1 : 0;
        d += o instanceof D13 ? 1 : 0;
        return d;
    }

    static long calls(All a) {
        long s = 0;
        s = s * 31 + ((I0) a).m0();
        s = s * 31 + ((I1) a).m1();
        s = s * 31 + ((I2) a).m2();
        s = s * 31 + ((I3) a).m3();
        s = s * 31 + ((I4) a).m4();
        s = s * 31 + ((I5) a).m5();
        s = s * 31 + ((I6) a).m6();
        s = s * 31 + ((I7) a).m7();
        s = s * 31 + ((I8) a).m8();
        s = s * 31 + ((I9) a).m9();
        s = s * 31 + ((I10) a).m10();
        s = s * 31 + ((I11) a).m11();
        s = s * 31 + ((I12) a).m12();
        s = s * 31 + ((I13) a).m13();
        s = s * 31 + ((I14) a).m14();
        s = s * 31 + ((I15) a).m15();
        s = s * 31 + ((I16) a).m16();
        s = s * 31 + ((I17) a).m17();
        s = s * 31 + ((I18) a).m18();
        s = s * 31 + ((I19) a).m19();
        s = s * 31 + ((I20) a).m20();
        s = s * 31 + ((I21) a).m21();
        s = s * 31 + ((I22) a).m22();
        s = s * 31 + ((I23) a).m23();
        s = s * 31 + ((I24) a).m24();
        s = s * 31 + ((I25) a).m25();
        s = s * 31 + ((I26) a).m26();
        s = s * 31 + ((I27) a).m27();
        s = s * 31 + ((I28) a).m28();
        s = s * 31 + ((I29) a).m29();
        s = s * 31 + ((I30) a).m30();
        s = s * 31 + ((I31) a).m31();
        s = s * 31 + ((I32) a).m32();
        s = s * 31 + ((I33) a).m33();
        s = s * 31 + ((I34) a).m34();
        s = s * 31 + ((I35) a).m35();
        s = s * 31 + ((I36) a).m36();
        s = s * 31 + ((I37) a).m37();
        s = s * 31 + ((I38) a).m38();
        s = s * 31 + ((I39) a).m39();
        s = s * 31 + ((I40) a).m40();
        s = s * 31 + ((I41) a).m41();
        s = s * 31 + ((I42) a).m42();
        s = s * 31 + ((I43) a).m43();
        s = s * 31 + ((I44) a).m44();
        s = s * 31 + ((I45) a).m45();
        s = s * 31 + ((I46) a).m46();
        s = s * 31 + ((I47) a).m47();
        s = s * 31 + ((I48) a).m48();
        s = s * 31 + ((I49) a).m49();
        s = s * 31 + ((I50) a).m50();
        s = s * 31 + ((I51) a).m51();
        s = s * 31 + ((I52) a).m52();
        s = s * 31 + ((I53) a).m53();
        s = s * 31 + ((I54) a).m54();
        s = s * 31 + ((I55) a).m55();
        s = s * 31 + ((I56) a).m56();
        s = s * 31 + ((I57) a).m57();
        s = s * 31 + ((I58) a).m58();
        s = s * 31 + ((I59) a).m59();
        s = s * 31 + ((I60) a).m60();
        s = s * 31 + ((I61) a).m61();
        s = s * 31 + ((I62) a).m62();
        s = s * 31 + ((I63) a).m63();
        s = s * 31 + ((I64) a).m64();
        s = s * 31 + ((I65) a).m65();
        s = s * 31 + ((I66) a).m66();
        s = s * 31 + ((I67) a).m67();
        s = s * 31 + ((I68) a).m68();
        s = s * 31 + ((I69) a).m69();
        return s;
    }

    static long calls(Object o, long s) {
        if (o instanceof I0) {
            s = s * 31 + ((I0) o).m0();
        }
        if (o instanceof I7) {
            s = s * 31 + ((I7) o).m7();
        }
        if (o instanceof I14) {
            s = s * 31 + ((I14) o).m14();
        }
        if (o instanceof I21) {
            s = s * 31 + ((I21) o).m21();
        }
        if (o instanceof I28) {
            s = s * 31 + ((I28) o).m28();
        }
        if (o instanceof I35) {
            s = s * 31 + ((I35) o).m35();
        }
        if (o instanceof I42) {
            s = s * 31 + ((I42) o).m42();
        }
        if (o instanceof I49) {
            s = s * 31 + ((I49) o).m49();
        }
        if (o instanceof I56) {
            s = s * 31 + ((I56) o).m56();
        }
        if (o instanceof I63) {
            s = s * 31 + ((I63) o).m63();
        }
        return s;
    }

    static String cast(Object o, int to) {
        try {
            switch (to) {
                case 0:
                    return ((Named) o).name();
                case 1:
                    return "I64 " + ((I64) o).m64();
                case 2:
                    return "D9 " + ((D9) o).getClass().getSimpleName();
                case 3:
                    return "D13 " + ((D13) o).getClass().getSimpleName();
                case 4:
                    return "Comparable[] " + ((Comparable<?>[]) o).length;
                case 5:
                    return "D8[][] " + ((D8[][]) o).length;
                case 6:
                    return "Object[] " + ((Object[]) o).length;
                case 7:
                    return "Cloneable[] " + ((Cloneable[]) o).length;
                default:
                    return "int[][] " + ((int[][]) o).length;
            }
        } catch (ClassCastException | NullPointerException e) {
            return e.getClass().getSimpleName();
        }
    }

    static String store(Object[] array, Object value, boolean say) {
        try {
            array[0] = value;
            return "stored";
        } catch (ArrayStoreException e) {
            // HotSpot gives frequent ones no message.
            return say ? e.getMessage() : "no";
        }
    }

    static final Class<?>[] CLASSES = {
        Object.class, I64.class, D9.class, Named[].class, int[].class, int.class, void.class, Comparable.class, Cloneable.class
    };

    static long round(Object[] all, Object[][] arrays, StringBuilder out) {
        long sum = 0;
        for (Object o : all) {
            sum = sum * 17 + mask0(o) * 3 + mask1(o) * 5 + depth(o) * 7;
            sum = calls(o, sum);
            for (int k = 0; k < 9; k++) {
                String s = cast(o, k);
                sum = sum * 13 + s.hashCode();
                if (out != null) {
                    out.append(s).append(k == 8 ? '\n' : ' ');
                }
            }
            for (Class<?> c : CLASSES) {
                sum = sum * 3 + (c.isInstance(o) ? 1 : 0);
            }
            for (Object[] a : arrays) {
                String s = store(a, o, out != null);
                sum = sum * 11 + (s.equals("stored") ? 1 : 0);
                if (out != null) {
                    out.append(a.getClass().getSimpleName()).append(": ").append(s).append('\n');
                }
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        Object[] all = {
            new None(), new Few(), new Half(), new All(), new D0(), new D6(), new D9(), new D13(), "text",
            new D3[2], new D9[1][1], new D13[3][2], new int[2], new int[2][2], new String[1], new I64[2], null
        };
        Object[][] arrays = {
            new Object[1], new I64[1], new I3[1], new D6[1], new D7[1], new D8[1], new D13[1], new Named[1],
            new Comparable<?>[1], new Cloneable[1], new D8[1][], new String[1], new int[1][]
        };
        StringBuilder out = new StringBuilder();
        long first = round(all, arrays, out);
        System.out.print(out);
        System.out.println(first + " " + calls(new All()));
        for (int i = 0; i < 300; i++) {
            if (round(all, arrays, null) != first) {
                System.out.println("round " + i + " differs");
                return;
            }
        }
        System.out.println(calls(new All()));
    }
}
