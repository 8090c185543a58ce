/** What profiles are to show; the counts are in the test. */
public class Profiles {
    interface Shape { int sides(); }
    static class Triangle implements Shape { public int sides() { return 3; } int id() { return 1; } }
    static class Square extends Triangle { public int sides() { return 4; } int id() { return 2; } }
    static class Pentagon extends Triangle { public int sides() { return 5; } int id() { return 3; } }

    static Object make(int kind) {
        return kind == 0 ? new Triangle() : kind == 1 ? new Square() : kind == 2 ? new Pentagon() : null;
    }
    /* bytecodes 0..: aload_0 instanceof ifeq .. see the test */
    static int tests(Object o, Object[] out) {
        int r = o instanceof Shape ? 1 : 0;
        Triangle t = (Triangle) o;
        out[0] = o;
        return r + (t == null ? 0 : 2);
    }
    static int calls(Triangle t, Shape s) { return t.id() + s.sides() + constant(); }
    static int constant() { return 7; }
    /** Kinds 0, 1, 2 and null in turn. */
    static int mixed(int n) {
        Object[] out = new Object[1];
        int s = 0;
        for (int i = 0; i < n; i++) s += tests(make(i & 3), out);
        return s;
    }
    /** Receivers of one kind. */
    static int calling(int n, int kind) {
        Object o = make(kind);
        int s = 0;
        for (int i = 0; i < n; i++) s += calls((Triangle) o, (Shape) o);
        return s;
    }
    static int branches(int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            if (i % 4 == 0) s++;
            if (s > n) s = 0;
        }
        return s;
    }
}
