// covers: getstatic(ExceptionInInitializerError) invokestatic(initialises) putstatic(initialises)
public class C11InitEdges {
    static StringBuilder log = new StringBuilder();

    static int l(String s) {
        log.append(s).append(' ');
        return s.length();
    }

    static class P {
        static {
            l("P");
        }

        static int viaChild() {
            return 1;
        }

        int i = l("P.i");

        P() {
            l("P()");
            hook();
        }

        void hook() {
            l("P.hook");
        }
    }

    static class Q extends P {
        static {
            l("Q");
        }

        int j = l("Q.j");
        final int k = 7;
        final String s;

        Q() {
            super();
            s = "set";
            l("Q()");
        }

        void hook() {
            l("hook j=" + j + " k=" + k + " s=" + s);
        }
    }

    abstract static class Tmpl {
        final int v;

        Tmpl() {
            v = make();
        }

        abstract int make();
    }

    interface I {
        int A = l("I.A");

        default void d() {}
    }

    interface J extends I {
        int B = l("J.B");
    }

    static class K implements J {
        static {
            l("K");
        }
    }

    static class Rec {
        static Rec only = new Rec();
        static int count = 5;
        int seen;

        Rec() {
            seen = count;
            count++;
        }
    }

    static class Arr {
        static {
            l("Arr");
        }
    }

    enum En {
        X,
        Y;
        static int made;

        static {
            made = values().length;
        }

        final int atMake;

        En() {
            atMake = l("En");
        }
    }

    static class Thrower {
        static int n;

        static {
            n = 3;
            if (n == 3) throw new RuntimeException("t");
        }
    }

    static class UsesThrower {
        static int u;

        static {
            try {
                u = Thrower.n;
            } catch (ExceptionInInitializerError e) {
                u = -1;
            }
        }
    }

    static class Nested {
        static class In {
            static {
                l("In");
            }

            static int v = 1;
        }

        static {
            l("Nested");
        }
    }

    static class Checked {
        static int x;

        static {
            try {
                Class.forName("NoSuch");
            } catch (ClassNotFoundException e) {
                x = 9;
            }
        }
    }

    static void flush(String w) {
        System.out.println(w + ": " + log);
        log.setLength(0);
    }

    public static void main(String[] args) throws Exception {
        Q.viaChild();
        flush("static of the parent through the child");
        new Q();
        flush("construction");
        System.out.println(
                new Tmpl() {
                    int z = 5;

                    int make() {
                        return z + 1;
                    }
                }.v);
        new K();
        flush("class with default-method interfaces");
        System.out.println(K.A);
        flush("interface field");
        System.out.println(Rec.count + " " + Rec.only.seen);
        Arr[][] a = new Arr[1][1];
        Class<?> c = Arr.class;
        flush("array and literal");
        Class.forName("C11InitEdges$Arr", false, C11InitEdges.class.getClassLoader());
        flush("forName false");
        Class.forName("C11InitEdges$Arr");
        flush("forName");
        System.out.println(En.made + " " + En.Y.atMake);
        flush("enum");
        System.out.println(UsesThrower.u);
        try {
            System.out.println(Thrower.n);
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Nested.In.v);
        flush("inner only");
        System.out.println(Checked.x);
        C11InitEdges.class.getDeclaredField("log").get(null);
        java.lang.invoke.MethodHandles.lookup()
                .findStatic(Lazy.class, "m", java.lang.invoke.MethodType.methodType(int.class));
        flush("handle found");
        System.out.println((int) Lazy.h().length());
        flush("called");
        try {
            Object o = Lazy2.class.getDeclaredField("x").get(null);
        } catch (IllegalAccessException e) {
        }
        flush("reflection");
        sun.misc.Unsafe.class.getName();
    }

    static class Lazy {
        static {
            l("Lazy");
        }

        static int m() {
            return 1;
        }

        static String h() {
            return "h";
        }
    }

    static class Lazy2 {
        static {
            l("Lazy2");
        }

        static int x = 1;
    }
}
