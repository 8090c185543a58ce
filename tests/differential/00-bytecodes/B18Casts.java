// covers: checkcast(ok,null,cce) instanceof(true,false,null) new(ok)
public class B18Casts {
    interface I {}

    interface J extends I {}

    static class A {}

    static class B extends A implements J {}

    static class C extends B {}

    static void test(Object o) {
        int r = 0;
        if (o instanceof Object) r |= 1;
        if (o instanceof A) r |= 2;
        if (o instanceof B) r |= 4;
        if (o instanceof C) r |= 8;
        if (o instanceof I) r |= 16;
        if (o instanceof J) r |= 32;
        if (o instanceof Object[]) r |= 64;
        if (o instanceof A[]) r |= 128;
        if (o instanceof I[]) r |= 256;
        if (o instanceof int[]) r |= 512;
        if (o instanceof int[][]) r |= 1024;
        if (o instanceof Cloneable) r |= 2048;
        if (o instanceof Comparable) r |= 4096;
        System.out.println(r);
        int failed = 0;
        try {
            A x = (A) o;
        } catch (ClassCastException e) {
            failed |= 1;
        }
        try {
            C x = (C) o;
        } catch (ClassCastException e) {
            failed |= 2;
        }
        try {
            J x = (J) o;
        } catch (ClassCastException e) {
            failed |= 4;
        }
        try {
            A[] x = (A[]) o;
        } catch (ClassCastException e) {
            failed |= 8;
        }
        try {
            int[] x = (int[]) o;
        } catch (ClassCastException e) {
            failed |= 16;
        }
        try {
            Object[][] x = (Object[][]) o;
        } catch (ClassCastException e) {
            failed |= 32;
        }
        System.out.println(failed);
    }

    public static void main(String[] args) {
        test(null);
        test(new Object());
        test(new A());
        test(new B());
        test(new C());
        test(new C[1]);
        test(new B[1][1]);
        test(new I[0]);
        test(new int[0]);
        test(new int[0][]);
        test(new long[0]);
        test("text");
        test(new Object[0][]);
        try {
            Object o = "text";
            Integer i = (Integer) o;
            System.out.println(i);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = new A();
            B b = (B) o;
            System.out.println(b);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = new int[1];
            A[] b = (A[]) o;
            System.out.println(b);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
