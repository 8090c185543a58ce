import java.util.List;
import java.util.stream.Collectors;

/** Some lines run, some do not. */
public class Covered {
    enum Kind { A, B }
    record Pair(int x, String y) {}
    interface Shape {
        double area();
        default String text() {
            return "area " + area();
        }
    }
    static int pick(int n) {
        if (n > 5) {
            return 1;
        } else if (n == 3) {
            return 2;
        }
        return 3;
    }
    static String name(Kind k) {
        switch (k) {
            case A:
                return "a";
            default:
                return "other";
        }
    }
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        System.out.println(pick(n) + name(Kind.A));
        Shape s = () -> n * 2.0;
        System.out.println(s.text());
        System.out.println(List.of(1, 2, 3).stream().filter(i -> i > 1).map(i -> new Pair(i, "p" + i)).collect(Collectors.toList()));
        try {
            if (n == 3) {
                throw new IllegalStateException("three");
            }
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        } finally {
            System.out.println("finally");
        }
    }
}
