/** An object is filled and then stored into a plain static: who finds it must find its fields. */
public class UnsafePublication {
    static final class Box {
        int a;
        int b;
        Object c;
    }

    static Box latest;
    static boolean done;

    public static void main(String[] args) throws Exception {
        int rounds = Integer.getInteger("rounds", 400) * 5_000;
        long[] seen = new long[2];
        Thread reader =
                new Thread(
                        () -> {
                            long bad = 0;
                            for (int i = 0; i < rounds; i++) {
                                Box b = latest;
                                if (b != null) {
                                    Object c = b.c;
                                    if (b.a == 0 || b.b == 0 || c == null) {
                                        bad++;
                                    }
                                }
                            }
                            seen[0] = bad;
                        });
        reader.start();
        for (int i = 1; reader.isAlive(); i++) {
            Box b = new Box();
            b.a = i | 1;
            b.b = i | 1;
            b.c = args;
            latest = b;
        }
        reader.join();
        System.out.println("violations " + seen[0] + " of " + rounds);
    }
}
