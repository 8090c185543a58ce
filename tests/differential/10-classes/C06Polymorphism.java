// covers: invokevirtual(polymorphic,final,package-private) invokeinterface(megamorphic)
public class C06Polymorphism {
    abstract static class Op {
        abstract int apply(int a);

        int id() {
            return 0;
        }

        final int fin() {
            return id() + 1;
        }

        int pkg() {
            return 1;
        }
    }

    static class Inc extends Op {
        int apply(int a) {
            return a + 1;
        }
    }

    static class Dbl extends Op {
        int apply(int a) {
            return a * 2;
        }

        int id() {
            return 2;
        }
    }

    static class Neg extends Op {
        int apply(int a) {
            return -a;
        }

        int id() {
            return 3;
        }

        int pkg() {
            return 30;
        }
    }

    static class Sq extends Dbl {
        int apply(int a) {
            return a * a;
        }
    }

    static class Xor extends Neg {
        int apply(int a) {
            return a ^ 0x5a5a;
        }

        int id() {
            return super.id() * 10;
        }
    }

    interface Visitor {
        int visit(Object o);
    }

    static class V0 implements Visitor {
        public int visit(Object o) {
            return 0;
        }
    }

    static class V1 implements Visitor {
        public int visit(Object o) {
            return o.hashCode();
        }
    }

    static class V2 extends V1 {
        public int visit(Object o) {
            return super.visit(o) + 2;
        }
    }

    static class V3 extends V2 {}

    static class V4 implements Comparable<V4>, Visitor {
        public int visit(Object o) {
            return 4;
        }

        public int compareTo(V4 o) {
            return 5;
        }
    }

    static class Obj {
        public boolean equals(Object o) {
            return o instanceof Obj;
        }

        public int hashCode() {
            return 17;
        }

        public String toString() {
            return "Obj";
        }
    }

    public static void main(String[] args) {
        Op[] ops = {new Inc(), new Dbl(), new Neg(), new Sq(), new Xor()};
        int v = 3;
        for (int i = 0; i < 2000; i++) {
            Op op = ops[(i * 7 + v) % 5 & 3];
            v = op.apply(v) % 10007 + op.id() + op.fin() + op.pkg();
        }
        System.out.println(v);
        Visitor[] vs = {new V0(), new V1(), new V2(), new V3(), new V4()};
        int t = 0;
        for (int i = 0; i < 2000; i++) t = t * 31 + vs[i % 5].visit("k" + i % 3);
        System.out.println(t);
        Object a = new Obj(), b = new Obj();
        System.out.println(a.equals(b));
        System.out.println(a.hashCode() + b.toString());
        System.out.println(((Comparable) vs[4]).compareTo(vs[4]));
        Object[] mixed = {"s", 5, 5L, 'c', 2.5, true, new int[0].length, new Obj()};
        for (Object o : mixed) System.out.println(o.toString() + o.hashCode());
    }
}
