// covers: JVM_GetArrayElement JVM_SetArrayElement JVM_NewArray JVM_NewMultiArray Unsafe
import java.lang.reflect.*;

public class R02Fields {
    public boolean z = true;
    public byte b = 1;
    public char c = 'c';
    public short s = 2;
    public int i = 3;
    public long l = 4;
    public float f = 5;
    public double d = 6;
    public Object o = "o";
    private final int fin = 7;
    static final int SFIN = Integer.parseInt("8");
    static int stat = 9;
    volatile int vol = 10;

    static String err(Throwable t) {
        return t.getClass().getSimpleName() + ": " + t.getMessage();
    }

    public static void main(String[] args) throws Exception {
        R02Fields x = new R02Fields();
        for (String n :
                new String[] {
                    "z", "b", "c", "s", "i", "l", "f", "d", "o", "fin", "SFIN", "stat", "vol"
                }) {
            Field fd = R02Fields.class.getDeclaredField(n);
            fd.setAccessible(true);
            System.out.println(
                    n
                            + " "
                            + fd.get(x)
                            + " "
                            + fd.getType()
                            + " "
                            + Modifier.toString(fd.getModifiers()));
            String[] ops = {
                "getBoolean",
                "getByte",
                "getChar",
                "getShort",
                "getInt",
                "getLong",
                "getFloat",
                "getDouble"
            };
            for (String op : ops)
                try {
                    System.out.println(
                            " " + op + " " + Field.class.getMethod(op, Object.class).invoke(fd, x));
                } catch (InvocationTargetException e) {
                    System.out.println(" " + op + " " + err(e.getCause()));
                }
            Object[] values = {true, (byte) 11, 'x', (short) 12, 13, 14L, 15f, 16.0, "str", null};
            for (Object v : values)
                try {
                    fd.set(x, v);
                    System.out.println(" set " + v + " -> " + fd.get(x));
                } catch (IllegalArgumentException
                        | IllegalAccessException
                        | NullPointerException e) {
                    System.out.println(" set " + v + " " + err(e));
                }
            for (int k = 0; k < 20; k++) fd.get(x);
        }
        try {
            R02Fields.class.getDeclaredField("i").get(null);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            R02Fields.class.getDeclaredField("i").get("wrong");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Class<?>[] ts = {
            boolean.class,
            byte.class,
            char.class,
            short.class,
            int.class,
            long.class,
            float.class,
            double.class,
            String.class
        };
        for (Class<?> t : ts) {
            Object a = Array.newInstance(t, 3);
            System.out.println(a.getClass().getName() + Array.getLength(a) + Array.get(a, 1));
            for (Object v :
                    new Object[] {true, (byte) 1, 'x', (short) 2, 3, 4L, 5f, 6.0, "s", null})
                try {
                    Array.set(a, 2, v);
                    System.out.println(" " + Array.get(a, 2));
                } catch (RuntimeException e) {
                    System.out.println(" " + err(e));
                }
            try {
                System.out.println(Array.getInt(a, 0));
            } catch (RuntimeException e) {
                System.out.println(err(e));
            }
            try {
                Array.setInt(a, 0, 5);
                System.out.println(Array.get(a, 0));
            } catch (RuntimeException e) {
                System.out.println(err(e));
            }
            try {
                System.out.println(Array.getDouble(a, 0));
            } catch (RuntimeException e) {
                System.out.println(err(e));
            }
        }
        Object multi = Array.newInstance(int.class, 2, 3);
        System.out.println(
                ((int[][]) multi)[1].length
                        + multi.getClass().getName()
                        + Array.newInstance(String[].class, 1, 1).getClass().getName());
        try {
            Array.getLength("x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Array.newInstance(int.class, new int[256]);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        sun.misc.Unsafe u;
        {
            Field uf = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
            uf.setAccessible(true);
            u = (sun.misc.Unsafe) uf.get(null);
        }
        long off = u.objectFieldOffset(R02Fields.class.getDeclaredField("i"));
        u.putInt(x, off, 12345);
        System.out.println(
                x.i
                        + " "
                        + u.getInt(x, off)
                        + u.compareAndSwapInt(x, off, 12345, 6)
                        + u.getAndAddInt(x, off, 4)
                        + x.i);
        long so = u.staticFieldOffset(R02Fields.class.getDeclaredField("stat"));
        u.putInt(u.staticFieldBase(R02Fields.class.getDeclaredField("stat")), so, 55);
        System.out.println(stat);
        long m = u.allocateMemory(64);
        u.setMemory(m, 64, (byte) 7);
        u.putLong(m + 8, 0x0102030405060708L);
        System.out.println(u.getByte(m + 8) + " " + u.getByte(m) + u.getInt(m + 12));
        u.copyMemory(m + 8, m + 32, 8);
        System.out.println(u.getLong(m + 32));
        u.freeMemory(m);
        R02Fields raw = (R02Fields) u.allocateInstance(R02Fields.class);
        System.out.println(raw.i + " " + raw.o);
        int[] ia = {1, 2, 3};
        System.out.println(
                u.getInt(ia, (long) u.arrayBaseOffset(int[].class) + u.arrayIndexScale(int[].class))
                        + " "
                        + u.arrayIndexScale(long[].class)
                        + u.arrayIndexScale(byte[].class));
        byte[] src = new byte[16];
        u.putLong(src, (long) u.arrayBaseOffset(byte[].class) + 3, -2L);
        System.out.println(src[3] + " " + src[10] + " " + src[2]);
        try {
            u.throwException(new java.io.IOException("sneaky"));
        } catch (Exception e) {
            System.out.println(e);
        }
        System.out.println(u.addressSize() + " " + u.pageSize());
    }
}
