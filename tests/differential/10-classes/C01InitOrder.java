// covers: new(initialises) getstatic(initialises) putstatic(initialises) invokestatic(initialises)
public class C01InitOrder {
    static int step(String s) {
        System.out.println(s);
        return 1;
    }

    static class A {
        static {
            step("A");
        }

        static int f = 7;
        static final int CONST = 8;
        static final Integer BOXED = 9;

        static void m() {}
    }

    static class B extends A {
        static {
            step("B");
        }

        static int g = 3;
    }

    interface I {
        int X = step("I.X");

        default void d() {}
    }

    interface J {
        int Y = step("J.Y");
    }

    static class C extends B implements I, J {
        static {
            step("C");
        }

        {
            step("C instance");
        }

        C() {
            step("C()");
        }
    }

    static class D {
        static {
            step("D");
        }

        static int v;
    }

    static class E {
        static {
            step("E");
        }
    }

    static class F {
        static {
            step("F");
        }

        static void call() {
            step("F.call");
        }
    }

    static class G {
        static final int N;

        static {
            step("G");
            N = 4;
        }
    }

    static class Cyc1 {
        static int a = Cyc2.b + 1;
    }

    static class Cyc2 {
        static int b = Cyc1.a + 10;
    }

    interface K {
        int Z = step("K.Z");

        static void s() {
            step("K.s");
        }
    }

    public static void main(String[] args) {
        System.out.println(A.CONST);
        System.out.println(B.f);
        System.out.println("b");
        System.out.println(B.g);
        new C();
        new C();
        System.out.println(J.Y);
        D.v = 5;
        E[] es = new E[2];
        System.out.println(es.length);
        System.out.println(E.class.getName());
        System.out.println(new Object() instanceof E);
        new E();
        F.call();
        System.out.println(G.N);
        System.out.println(Cyc2.b);
        System.out.println(Cyc1.a);
        K.s();
        System.out.println(A.BOXED);
    }
}
