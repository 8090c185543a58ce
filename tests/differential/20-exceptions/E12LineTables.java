// covers: NullPointerException(array method) lines
/** Found by tests/generated: array classes in helpful messages, statements that share a bytecode index. */
public class E12LineTables {
    static int[] ints;
    static Object[] objects;
    static String[][] strings;

    static void run(Runnable r) {
        try {
            r.run();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0]);
        }
    }

    static class CloneInts implements Runnable {
        public void run() {
            ints.clone();
        }
    }

    static class CloneObjects implements Runnable {
        public void run() {
            objects.clone();
        }
    }

    static class CloneStrings implements Runnable {
        public void run() {
            strings.clone();
        }
    }

    public static void main(String[] args) throws Exception {
        run(new CloneInts());
        run(new CloneObjects());
        run(new CloneStrings());
        GenLines.run();
    }
}
