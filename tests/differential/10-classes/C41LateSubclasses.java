/** Classes that are loaded while compiled frames stand that were made without them: each of these frames must notice. */
public class C41LateSubclasses {
    static class Base {
        int f() {
            return 1;
        }
    }
    static class Late extends Base {
        int f() {
            return 2;
        }
    }
    abstract static class Shape {
        abstract int sides();
    }
    static class Square extends Shape {
        int sides() {
            return 4;
        }
    }
    static class Triangle extends Shape {
        int sides() {
            return 3;
        }
    }
    static class Node {
        int f() {
            return 7;
        }
    }
    static class Child extends Node {}
    static class Grandchild extends Child {
        int f() {
            return 5;
        }
    }

    static Object make(String name) {
        try {
            return Class.forName("C41LateSubclasses$" + name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }
    static <T> T pick(T usual, int i, int when, String name) {
        if (i != when) {
            return usual;
        }
        @SuppressWarnings("unchecked")
        T rare = (T) make(name);
        return rare;
    }

    static long bases(Base usual, int n, int when, String name) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Base b = pick(usual, i, when, name);
            sum = sum * 31 + b.f();
        }
        return sum;
    }
    static long shapes(Shape usual, int n, int when, String name) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Shape s = pick(usual, i, when, name);
            sum = sum * 31 + s.sides();
        }
        return sum;
    }
    /** Compiled frames above one another; the innermost loads. */
    static int nested(Node[] place, int depth, String name) {
        if (depth == 0) {
            if (name != null) {
                place[0] = (Node) make(name);
            }
            return place[0].f();
        }
        int inner = nested(place, depth - 1, name);
        return inner * 3 + place[0].f();
    }

    public static void main(String[] args) {
        Base base = new Base();
        Shape square = new Square();
        Node[] place = {new Child()};
        for (int i = 0; i < 400; i++) {
            shapes(square, 20, -1, null);
            bases(base, 20, -1, null);
            nested(place, 6, null);
        }
        System.out.println(shapes(square, 20, 7, "Triangle"));
        System.out.println(bases(base, 20, 7, "Late"));
        System.out.println(nested(place, 6, "Grandchild"));
    }
}
