// covers: newarray(ok,negative) arraylength(ok,npe) iaload(ok,npe,aioobe) laload(ok,npe,aioobe)
// covers: faload(ok,npe,aioobe) daload(ok,npe,aioobe) baload(ok,npe,aioobe) caload(ok,npe,aioobe)
// covers: saload(ok,npe,aioobe) iastore(ok,npe,aioobe) lastore(ok,npe,aioobe)
// covers: fastore(ok,npe,aioobe)
// covers: dastore(ok,npe,aioobe) bastore(ok,npe,aioobe) castore(ok,npe,aioobe)
// covers: sastore(ok,npe,aioobe)
public class B13PrimitiveArrays {
    static int kind(RuntimeException e) {
        if (e instanceof ArrayIndexOutOfBoundsException) return 1;
        if (e instanceof NullPointerException) return 2;
        if (e instanceof NegativeArraySizeException) return 3;
        return 9;
    }

    static void ints(int[] a, int i) {
        try {
            a[i] = 0x12345678;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 2;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void longs(long[] a, int i) {
        try {
            a[i] = 0x123456789abcdef0L;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 2;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void floats(float[] a, int i) {
        try {
            a[i] = 1.25f;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 2;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void doubles(double[] a, int i) {
        try {
            a[i] = -1.125;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 2;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void bytes(byte[] a, int i, int v) {
        try {
            a[i] = (byte) v;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 100;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void booleans(boolean[] a, int i) {
        try {
            a[i] = true;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] ^= true;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void chars(char[] a, int i) {
        try {
            a[i] = '\ufffe';
            System.out.println((int) a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println((int) a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 2;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static void shorts(short[] a, int i) {
        try {
            a[i] = (short) 40000;
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            a[i] += 2;
            System.out.println(a[i]++ + a[i]);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    static int lengthOf(int[] a) {
        try {
            return a.length;
        } catch (NullPointerException e) {
            return -1;
        }
    }

    static void make(int n) {
        try {
            System.out.println(new int[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new long[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new float[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new double[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new byte[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new boolean[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new char[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
        try {
            System.out.println(new short[n].length);
        } catch (RuntimeException e) {
            System.out.println(kind(e));
        }
    }

    public static void main(String[] args) {
        int[] indices = {
            0, 1, 2, -1, 3, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x40000000, 0x20000000
        };
        for (int i : indices) {
            ints(new int[3], i);
            longs(new long[3], i);
            floats(new float[3], i);
            doubles(new double[3], i);
            bytes(new byte[3], i, 200);
            booleans(new boolean[3], i);
            chars(new char[3], i);
            shorts(new short[3], i);
        }
        ints(null, 0);
        longs(null, 0);
        floats(null, 0);
        doubles(null, 0);
        bytes(null, 0, 1);
        booleans(null, 0);
        chars(null, 0);
        shorts(null, 0);
        System.out.println(lengthOf(new int[77]));
        System.out.println(lengthOf(null));
        make(0);
        make(1);
        make(1000);
        make(-1);
        make(Integer.MIN_VALUE);
        // Neighbours must not change.
        byte[] b = new byte[9];
        b[4] = (byte) 0xff;
        for (int i = 0; i < 9; i++) System.out.println(b[i]);
        char[] c = new char[5];
        c[2] = 0xffff;
        for (int i = 0; i < 5; i++) System.out.println((int) c[i]);
    }
}
