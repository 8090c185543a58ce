/** Casts that have held for long fail, or meet null: of classes, final ones, interfaces, arrays, one of them twice in a method. */
public class B54CastsThatFail {
    interface Shape { default int sides() { return 4; } }
    static class Base { int a = 1; }
    static class Middle extends Base implements Shape { int b = 2; }
    static final class Leaf extends Middle { int c = 3; }
    static class Other extends Base implements Comparable<Other> { public int compareTo(Other o) { return 0; } }

    static int base(Object o) { Base x = (Base) o; return x == null ? -1 : x.a; }
    static int middle(Object o) { Middle x = (Middle) o; return x == null ? -1 : x.b; }
    static int leaf(Object o) { Leaf x = (Leaf) o; return x == null ? -1 : x.c; }
    static int shape(Object o) { Shape x = (Shape) o; return x == null ? -1 : x.sides(); }
    static int text(Object o) { String x = (String) o; return x == null ? -1 : x.length(); }
    static int ints(Object o) { int[] x = (int[]) o; return x == null ? -1 : x.length; }
    static int bases(Object o) { Base[] x = (Base[]) o; return x == null ? -1 : x.length; }
    static int twice(Object o) {
        int n = 0;
        for (int i = 0; i < 2; i++) { Middle x = (Middle) o; n += x == null ? -1 : x.b + ((Middle) o).a; }
        return n;
    }
    interface Cast { int cast(Object o); }
    static void show(String name, Cast c, Object good, Object... bad) {
        long sum = 0;
        for (int i = 0; i < 3000; i++) sum += c.cast(i % 5 == 0 ? null : good);
        StringBuilder s = new StringBuilder(name + " " + sum);
        for (Object o : bad) {
            try {
                s.append(" took ").append(c.cast(o));
            } catch (ClassCastException e) {
                s.append(" refused ").append(o.getClass().getName());
            }
        }
        System.out.println(s);
    }
    public static void main(String[] args) {
        show("base", B54CastsThatFail::base, new Middle(), "x", new Leaf(), new int[1], new Other());
        show("middle", B54CastsThatFail::middle, new Middle(), new Base(), new Leaf(), "x");
        show("leaf", B54CastsThatFail::leaf, new Leaf(), new Middle(), new Object());
        show("shape", B54CastsThatFail::shape, new Middle(), new Other(), new Leaf(), new Base[0]);
        show("text", B54CastsThatFail::text, "text", 5, new char[2]);
        show("ints", B54CastsThatFail::ints, new int[3], new long[3], new int[1][1]);
        show("bases", B54CastsThatFail::bases, new Leaf[2], new Object[2], new Other[1], new Shape[1]);
        show("twice", B54CastsThatFail::twice, new Leaf(), new Base(), new Middle());
    }
}
