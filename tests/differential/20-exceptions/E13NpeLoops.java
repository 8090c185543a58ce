/** What a message calls a parameter that a loop assigns before it is used again. */
public class E13NpeLoops {
    public static void main(String[] args) {
        try {
            GenNullInLoop.behind(0, new int[1], 0);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            GenNullInLoop.before(0, new int[1], 0);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
