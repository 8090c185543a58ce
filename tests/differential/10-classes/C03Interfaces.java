// covers: invokeinterface(ok,default,diamond) invokespecial(interface-super)
public class C03Interfaces {
    interface A {
        default String m() {
            return "A";
        }
    }

    interface B extends A {
        default String m() {
            return "B" + A.super.m();
        }
    }

    interface C extends A {
        default String m() {
            return "C";
        }
    }

    static class D implements B, C {
        public String m() {
            return B.super.m() + C.super.m();
        }
    }

    interface E extends A {
        String m();
    }

    abstract static class F implements A {}

    static class G extends F implements E {
        public String m() {
            return "G";
        }
    }

    static class Base {
        public String m() {
            return "class wins";
        }
    }

    static class H extends Base implements A {}

    static class K extends F {}

    interface P {
        private String secret() {
            return "private in interface";
        }

        default String open() {
            return secret();
        }

        private static int ps() {
            return 4;
        }

        static int s() {
            return ps();
        }
    }

    interface Many1 {
        int a();
    }

    interface Many2 {
        int b();
    }

    interface Many3 {
        int c();
    }

    interface Many4 {
        int d();
    }

    static class Multi implements Many1, Many2, Many3, Many4 {
        public int a() {
            return 1;
        }

        public int b() {
            return 2;
        }

        public int c() {
            return 3;
        }

        public int d() {
            return 4;
        }
    }

    abstract static class Miranda implements Many1, Many2 {
        int sum() {
            return a() + b();
        }
    }

    static class Concrete extends Miranda {
        public int a() {
            return 30;
        }

        public int b() {
            return 4;
        }
    }

    interface Generic<T> {
        T get(T t);
    }

    static class StringGeneric implements Generic<String> {
        public String get(String s) {
            return s + "!";
        }
    }

    static class Cov {
        Object self() {
            return "object";
        }
    }

    static class CovSub extends Cov {
        String self() {
            return "string";
        }
    }

    public static void main(String[] args) {
        A[] all = {
            new D(),
            new G(),
            new H(),
            new K(),
            new A() {},
            new A() {
                public String m() {
                    return "anon";
                }
            }
        };
        for (A a : all) System.out.println(a.m());
        System.out.println(new P() {}.open());
        System.out.println(P.s());
        Object m = new Multi();
        System.out.println(
                ((Many1) m).a()
                        + ((Many2) m).b() * 10
                        + ((Many3) m).c() * 100
                        + ((Many4) m).d() * 1000);
        System.out.println(new Concrete().sum());
        Generic<String> g = new StringGeneric();
        System.out.println(g.get("bridge"));
        Cov c = new CovSub();
        System.out.println(c.self());
        try {
            Generic raw = g;
            raw.get(5);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
