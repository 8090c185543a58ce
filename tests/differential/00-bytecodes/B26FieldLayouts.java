// covers: getfield(ok) putfield(ok)
// Hierarchies with every mixture of field sizes: no field overlaps another, hidden fields stay
// apart, defaults are zero.
public class B26FieldLayouts {
    static class A {
        byte a1 = 1;
        long a2 = 2;
        boolean x = true;
    }

    static class B extends A {
        short b1 = 3;
        Object b2 = "b2";
        byte x = 4;
    }

    static class C extends B {
        byte c1 = 5, c2 = 6, c3 = 7;
        double c4 = 8;
        char x = 'x';
    }

    static class D extends C {
        int d1 = 9;
        float d2 = 10;
        Object x = "dx";
        Object d3;
        long d4;
    }

    static class E extends D {
        byte e1 = 11;
        long x = 12;
        int[] e2 = {13};
    }

    static class Odd extends E {
        byte o1 = 14;
    }

    static class Empty {}

    static class Sub1 extends Empty {
        byte v = 1;
    }

    static class Sub2 extends Sub1 {
        byte v2 = 2;
        int w = 3;
    }

    static String dump(Odd o) {
        return o.a1 + " " + o.a2 + " " + ((A) o).x + " " + o.b1 + " " + o.b2 + " " + ((B) o).x + " "
                + o.c1 + o.c2 + o.c3 + " " + o.c4 + " " + ((C) o).x + " " + o.d1 + " " + o.d2 + " "
                + ((D) o).x + " " + o.d3 + o.d4 + " " + o.e1 + " " + o.x + " " + o.e2[0] + " "
                + o.o1;
    }

    public static void main(String[] args) {
        Odd o = new Odd(), p = new Odd();
        System.out.println(dump(o));
        o.a1 = -1;
        System.out.println(dump(o));
        o.a2 = -1;
        System.out.println(dump(o));
        ((A) o).x = false;
        System.out.println(dump(o));
        o.b1 = -1;
        o.b2 = o.d3;
        System.out.println(dump(o));
        ((B) o).x = -1;
        o.c1 = -1;
        System.out.println(dump(o));
        o.c2 = -1;
        o.c3 = -1;
        o.c4 = -1;
        System.out.println(dump(o));
        ((C) o).x = 'y';
        o.d1 = -1;
        o.d2 = -1;
        System.out.println(dump(o));
        ((D) o).x = null;
        o.d3 = p;
        o.d4 = -1;
        o.d3 = "d3";
        System.out.println(dump(o));
        o.e1 = -1;
        o.x = -1;
        o.o1 = -1;
        System.out.println(dump(o));
        System.out.println(dump(p));
        Sub2 s = new Sub2();
        s.v = -1;
        System.out.println(s.v + " " + s.v2 + " " + s.w);
        s.v2 = -1;
        System.out.println(s.v + " " + s.v2 + " " + s.w);
        Odd[] many = new Odd[100];
        for (int i = 0; i < 100; i++) {
            many[i] = new Odd();
            many[i].x = i;
            many[i].o1 = (byte) i;
            many[i].c4 = i;
        }
        long t = 0;
        for (Odd m : many) t += m.x + m.o1 + (long) m.c4 + m.a2;
        System.out.println(t);
    }
}
