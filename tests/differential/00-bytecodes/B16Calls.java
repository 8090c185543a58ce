// covers: invokestatic(ok) invokevirtual(ok,npe) invokespecial(ok,super,private)
// covers: invokeinterface(ok,npe,default,object) ireturn(ok) lreturn(ok) freturn(ok) dreturn(ok)
// covers: areturn(ok,null) return(ok)
public class B16Calls {
    interface Shape {
        int area();

        default int twice() {
            return area() * 2;
        }

        static int three() {
            return 3;
        }
    }

    interface Named {
        String name();
    }

    static class Base implements Shape {
        public int area() {
            return 1;
        }

        int hook() {
            return area() + 10;
        }

        private int secret() {
            return 5;
        }

        int viaSecret() {
            return secret();
        }

        public String toString() {
            return "base";
        }
    }

    static class Mid extends Base implements Named {
        public int area() {
            return 2;
        }

        int hook() {
            return super.hook() + 100;
        }

        private int secret() {
            return 6;
        }

        public String name() {
            return "mid";
        }

        public String toString() {
            return super.toString().concat("-mid");
        }
    }

    static final class Leaf extends Mid {
        public int area() {
            return super.area() + 40;
        }

        public int twice() {
            return Shape.three() + 70;
        }

        public String name() {
            return "leaf";
        }
    }

    static boolean z(boolean b) {
        return b;
    }

    static byte b(int i) {
        return (byte) i;
    }

    static short s(int i) {
        return (short) i;
    }

    static char c(int i) {
        return (char) i;
    }

    static long l(int a, long b, int c) {
        return a + b * 2 + c;
    }

    static float f(double a, float b, double c) {
        return (float) (a - b + c);
    }

    static double d(float a, double b, long c) {
        return a * b + c;
    }

    static Object o(Object a) {
        return a;
    }

    static void v() {
        count++;
    }

    static int count;

    long many(
            int a,
            long b,
            double c,
            float d,
            Object e,
            long f,
            int g,
            long h,
            double i,
            int j,
            long k,
            byte m,
            char n,
            short p,
            boolean q) {
        return a
                + b
                + (long) c
                + (long) d
                + (e == this ? 1 : 0)
                + f
                + g
                + h
                + (long) i
                + j
                + k
                + m
                + n
                + p
                + (q ? 1000000 : 0);
    }

    public static void main(String[] args) {
        Base[] objects = {new Base(), new Mid(), new Leaf()};
        for (Base x : objects) {
            System.out.println(x.area());
            System.out.println(x.hook());
            System.out.println(x.twice());
            System.out.println(x.viaSecret());
            System.out.println(x.toString());
            Shape shape = x;
            System.out.println(shape.area());
            System.out.println(shape.twice());
            System.out.println(shape.toString());
            System.out.println(shape.equals(x));
            if (x instanceof Named) System.out.println(((Named) x).name());
        }
        System.out.println(z(true));
        System.out.println(b(200));
        System.out.println(s(40000));
        System.out.println((int) c(-1));
        System.out.println(l(1, 1L << 40, 3));
        System.out.println(f(1.5, 2.5f, 10));
        System.out.println(d(1.5f, 2.0, -9L));
        System.out.println(o("same"));
        System.out.println(o(null) == null);
        v();
        v();
        System.out.println(count);
        B16Calls self = new B16Calls();
        System.out.println(
                self.many(
                        1,
                        2,
                        3,
                        4,
                        self,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        (byte) 11,
                        '\u0001',
                        (short) 12,
                        true));
        Base none = null;
        try {
            none.area();
            System.out.println("no");
        } catch (NullPointerException e) {
            System.out.println("npe virtual");
        }
        Shape noShape = null;
        try {
            noShape.area();
            System.out.println("no");
        } catch (NullPointerException e) {
            System.out.println("npe interface");
        }
        try {
            none.viaSecret();
            System.out.println("no");
        } catch (NullPointerException e) {
            System.out.println("npe non-overridden");
        }
        try {
            none.secret();
            System.out.println("no");
        } catch (NullPointerException e) {
            System.out.println("npe private");
        }
    }
}
