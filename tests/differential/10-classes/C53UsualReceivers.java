import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Calls whose receivers are of one class until they are compiled, and of others afterwards: every kind of result, exceptions
 * on either way, handlers around the call and in callers, receivers that are made in the method that calls.
 */
public class C53UsualReceivers {
    interface Shape {
        int area(int n);

        default String label() {
            return "shape";
        }

        long wide(long a);

        double real(double d);

        void touch();

        Object same(Object o);

        boolean odd();
    }

    static int touched;

    static class Square implements Shape {
        final int side;

        Square(int side) {
            this.side = side;
        }

        public int area(int n) {
            if (n < 0) {
                throw new IllegalArgumentException("square " + n);
            }
            return side * side + n;
        }

        public long wide(long a) {
            return a + side;
        }

        public double real(double d) {
            return d * side;
        }

        public void touch() {
            touched += side;
        }

        public Object same(Object o) {
            return o;
        }

        public boolean odd() {
            return (side & 1) == 1;
        }
    }

    static class Circle implements Shape {
        public int area(int n) {
            if (n < 0) {
                throw new UnsupportedOperationException("circle " + n);
            }
            return 3 * n;
        }

        public String label() {
            return "circle";
        }

        public long wide(long a) {
            return -a;
        }

        public double real(double d) {
            return -d;
        }

        public void touch() {
            touched -= 1000;
        }

        public Object same(Object o) {
            return "circle";
        }

        public boolean odd() {
            return false;
        }
    }

    /** Overrides some of what is inherited. */
    static class Tile extends Square {
        Tile() {
            super(7);
        }

        @Override
        public int area(int n) {
            return super.area(n) * 10;
        }

        @Override
        public boolean odd() {
            throw new ArithmeticException("tile");
        }
    }

    static String all(Shape s, int n) {
        int before = touched;
        s.touch();
        return s.area(n) + " " + s.label() + " " + s.wide(n) + " " + s.real(n) + " " + s.same(n) + " " + s.odd() + " " + (touched - before);
    }

    static String caught(Shape s, int n) {
        String way = "";
        try {
            way += s.area(n);
            way += s.odd();
        } catch (IllegalArgumentException e) {
            way += " illegal " + e.getMessage();
        } catch (UnsupportedOperationException | ArithmeticException e) {
            way += " other " + e.getMessage();
        } catch (NullPointerException e) {
            way += " null";
        } finally {
            way += " end";
        }
        return way;
    }

    static int uncaught(Shape s, int n) {
        return 1 + s.area(n);
    }

    /** A loop in which the receiver changes. */
    static long mixed(Shape[] all, int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            Shape s = all[i % all.length];
            synchronized (s) {
                sum += s.area(i) + s.wide(sum) + (s.same(s) == s ? 1 : 0);
            }
        }
        return sum;
    }

    /** A virtual call on a class, with an argument of two slots and one on the stack below it. */
    static double virtually(Square s, long a) {
        return 0.5 + s.wide(a) * (s.area((int) a) - s.real(a));
    }

    static int iterate(ArrayList<Integer> list, List<Integer> other) {
        int sum = 0;
        for (Integer i : list) {
            sum += i;
        }
        for (Iterator<Integer> i = other.iterator(); i.hasNext();) {
            sum -= i.next();
        }
        return sum;
    }

    /** Receivers made here: their class is known, whatever they are called through. */
    static String madeHere(boolean which, int n) {
        Shape s = new Square(n);
        Object o = new Tile();
        Shape either = which ? new Circle() : new Tile();
        Runnable r = new Runnable() {
            public void run() {
                touched += n;
            }
        };
        r.run();
        return s.area(n) + ((Shape) o).area(n) + either.area(n) + s.label() + either.label() + o.equals(s) + make(n).area(1) + chosen(n).area(2);
    }

    static Shape make(int n) {
        return new Square(n);
    }

    static Shape chosen(int n) {
        return n % 2 == 0 ? new Square(n) : new Circle();
    }

    /** A cast that fails, and a call behind it that the object's class does not have. */
    static String impossible(boolean cast) {
        Object o = new Square(2);
        try {
            return cast ? ((CharSequence) o).length() + "" : ((Circle) o).label();
        } catch (ClassCastException e) {
            return "cast";
        }
    }

    static String outcome(Shape s, int n) {
        try {
            return all(s, n) + " | " + caught(s, n) + " | " + uncaught(s, n);
        } catch (RuntimeException e) {
            return e.getClass().getName() + " at " + e.getStackTrace()[0].getMethodName() + " under " + e.getStackTrace()[1].getMethodName();
        }
    }

    public static void main(String[] args) {
        Square five = new Square(5);
        ArrayList<Integer> numbers = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5));
        long sum = 0;
        for (int i = 0; i < 20000; i++) {
            sum += outcome(five, i).length() + (long) virtually(five, i) + iterate(numbers, numbers) + madeHere(i % 3 == 0, i).length();
            if (i % 1000 == 0) {
                sum += impossible(true).length() + impossible(false).length();
            }
        }
        System.out.println(sum + " " + touched);
        Shape[] others = {new Circle(), new Tile(), five, null, new Circle()};
        for (Shape s : others) {
            for (int n : new int[] {3, 0, -3}) {
                System.out.println(outcome(s, n));
                System.out.println(caught(s, n));
            }
        }
        System.out.println(mixed(new Shape[] {five}, 20000));
        System.out.println(mixed(new Shape[] {five, new Circle(), new Tile()}, 20000));
        System.out.println(virtually(new Tile(), 12) + " " + virtually(five, 12));
        try {
            System.out.println(virtually(null, 1));
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        System.out.println(iterate(numbers, List.of(1, 2)) + " " + iterate(numbers, new java.util.LinkedList<>(numbers)));
        try {
            iterate(numbers, Arrays.asList(1, null));
        } catch (NullPointerException e) {
            System.out.println("null element");
        }
        System.out.println(madeHere(true, 4) + " " + madeHere(false, 5) + " " + touched);
    }
}
