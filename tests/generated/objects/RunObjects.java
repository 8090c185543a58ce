import java.lang.reflect.Method;

/** Runs the generated classes of seeds {@code FIRST + SKIP} to {@code FIRST + COUNT - 1}, a line for each: {@code RunObjects FIRST COUNT SKIP}. */
public final class RunObjects {
    public static void main(String[] args) throws Exception {
        int first = Integer.parseInt(args[0]), count = Integer.parseInt(args[1]), skip = Integer.parseInt(args[2]);
        for (int seed = first + skip; seed < first + count; seed++) {
            Method run = Class.forName("G" + seed).getDeclaredMethod("run");
            System.out.println(seed + " " + run.invoke(null));
        }
    }

    private RunObjects() {
    }
}
