/** Objects that need not be made meet tests for classes that they are not of, behind which fields are touched that they do not have. */
public class B52FieldsOfOthers {
    static class A { int a; A(int x) { a = x; } }
    static class B extends A { int b1, b2, b3, b4, b5, b6; B(int x) { super(x); b1 = x; } }
    static class C { Object o; int c; C(int x) { c = x; o = "s"; } int get() { return c + o.hashCode(); } }
    // Siblings with fields of other widths at the same place.
    static class L { long l; L(long x) { l = x; } }
    static class M { int m1, m2; M(int x) { m1 = x; } }
    static int probe(Object x) { if (x instanceof B) { B b = (B) x; return b.b2 + b.b3; } return 0; }
    static int probe2(Object x) { if (x instanceof M) { return ((M) x).m2; } return 0; }
    static int sink;
    static int t(int i, boolean leave) {
      A x; if ((i & 1) == 0) { x = new A(i); } else { x = new A(-i); }
      C c = new C(i);
      int r = probe(x);
      if (leave) { sink++; System.identityHashCode(c); System.identityHashCode(x); System.gc(); }
      return r + x.a + c.get();
    }
    static long u(int i, boolean leave) {
      L x; if ((i & 1) == 0) { x = new L(0x1234567812345678L + i); } else { x = new L(~0x1234567812345678L); }
      int r = probe2(x);
      if (leave) { sink++; System.identityHashCode(x); }
      return r + x.l;
    }
    static void train() {
      for (int i = 0; i < 20000; i++) { probe(i % 2 == 0 ? new B(i) : (Object) "x"); probe2(i % 2 == 0 ? new M(i) : (Object) "x"); }
      int s = 0;
      for (int i = 0; i < 20000; i++) { s += t(i, false); s += u(i, false); }
      System.out.println(s);
    }
    public static void main(String[] a) throws Exception {
      train();
        Thread.sleep(300);
        train();
      System.out.println(u(2, true) + " " + u(3, true));
      System.out.println(t(2, true) + " " + t(3, true));
      System.gc();
      System.out.println("ok");
    }
}
