/** What jdb looks at. */
public class Debugged {
    int field = 5;
    static String text = "static";

    static int add(int a, int b) {
        int c = a + b;
        return c;
    }

    int getField() {
        return field;
    }

    void run(String name, long[] numbers) {
        long total = 0;
        double d = 1.5;
        float f = 0.25f;
        for (int i = 0; i < 3; i++) {
            total += add(i, getField());
        }
        try {
            throw new IllegalStateException("x");
        } catch (IllegalStateException e) {
            total++;
        }
        numbers[0] = total;
        System.out.println(name + " " + total + " " + d + " " + f + " " + text);
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread t = new Thread(() -> {
            while (main.getState() != Thread.State.WAITING) Thread.onSpinWait();
            synchronized (Debugged.class) {
                new Debugged().run("abc", new long[2]);
            }
        }, "worker");
        t.start();
        t.join();
        System.out.println("end");
        // When the application has exited, jdb drops what it has not read of it yet: the test says when it has.
        for (int i = 0; i < 3000 && !new java.io.File(args[0]).exists(); i++) Thread.sleep(20);
    }
}
