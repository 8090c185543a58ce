/** Stores into arrays that the method made itself: what is known of their lengths and classes is not asked again, all else is. */
public class B53ArraysMadeHere {
    interface Shape { }
    static class Square implements Shape { }
    static class Cube extends Square { }
    static int at = 1, length = 2;

    static String strings() { String[] a = {"x", null, "y"}; return a[0] + a[1] + a[2] + a.length; }
    static int ints() { int[] a = {3, 1, 4, 1, 5}; return a[0] + a[2] * 10 + a[4] * 100 + a[a.length - 1]; }
    static long rows() {
        long[][] a = {{1, 2}, {3}, {}, null};
        return a[0][1] + a[1][0] + a[2].length + (a[3] == null ? 7 : 0);
    }
    static int objects(Object o) { Object[] a = new Object[2]; a[0] = o; a[1] = a; return a[1] == a ? a[0].hashCode() : 0; }
    static int squares(Square s) { Square[] a = new Square[3]; a[0] = s; a[1] = new Cube(); a[2] = new Square(); return a.length; }
    static int shapes() { Shape[] a = {new Square(), new Cube(), null}; return a[1] instanceof Cube ? 1 : 2; }
    static int matrices() { Square[][] a = new Square[2][]; a[0] = new Square[1]; a[1] = new Cube[2]; return a[0].length + a[1].length; }
    static int wrongClass(Object o) { Object[] a = new Square[2]; a[1] = o; return a[1] == o ? 1 : 0; }
    static int wrongString() { Object[] a = new Integer[2]; a[1] = "x"; return 0; }
    static int wrongArray() { Object[] a = new Cube[1][]; a[0] = new Square[1]; return 0; }
    static int wrongElement() { Object[] a = new Square[1][1]; a[0] = new Cube(); return 0; }
    static int above() { int[] a = new int[2]; a[2] = 1; return a[1]; }
    static int below() { int[] a = new int[2]; a[-1] = 1; return a[1]; }
    static int none() { int[] a = new int[0]; return a[0]; }
    static int negative() { int[] a = new int[-1]; a[0] = 1; return 0; }
    static int least() { Object[] a = new Object[Integer.MIN_VALUE]; a[0] = a; return 0; }
    static int variable() { int[] a = new int[length]; a[0] = 5; a[at] = 6; return a[0] * 10 + a[1]; }
    /** One of two arrays, the shorter of which has no such element. */
    static int either(boolean b) { int[] a; if (b) a = new int[3]; else a = new int[1]; a[2] = 8; return a[2]; }
    static int given(int[] a) { a[1] = 9; return a[1]; }
    static int inlined(boolean b) { return given(b ? new int[2] : new int[1]); }
    static String spread(Object... a) { return a.length + ":" + a[a.length - 1]; }
    static String calls(int i) { return spread("a", i, 'c') + spread((Object) null); }

    interface Code { Object run(int i); }
    static void show(String name, Code c) {
        Object last = null;
        for (int i = 0; i < 3000; i++) {
            try {
                last = c.run(i);
            } catch (RuntimeException e) {
                last = e.toString();
            }
        }
        System.out.println(name + " " + last);
    }
    public static void main(String[] args) {
        show("strings", i -> strings());
        show("ints", i -> ints());
        show("rows", i -> rows());
        show("objects", i -> objects("o"));
        show("squares", i -> squares(i % 2 == 0 ? new Cube() : new Square()));
        show("shapes", i -> shapes());
        show("matrices", i -> matrices());
        show("wrongClass", i -> wrongClass(i < 2999 ? new Cube() : "x"));
        show("wrongClass, null", i -> wrongClass(null));
        show("wrongString", i -> wrongString());
        show("wrongArray", i -> wrongArray());
        show("wrongElement", i -> wrongElement());
        show("above", i -> above());
        show("below", i -> below());
        show("none", i -> none());
        show("negative", i -> negative());
        show("least", i -> least());
        show("variable", i -> variable());
        at = 2;
        show("variable, beyond", i -> variable());
        length = -3;
        show("variable, negative", i -> variable());
        show("either", i -> either(i < 2999));
        show("inlined", i -> inlined(i < 2999));
        show("calls", i -> calls(i));
        try {
            System.out.println(spread());
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
