import java.util.ArrayList;
import java.util.List;

/** Faults that the soak must notice: a leak, a wrong result, a thread that does not end, a crash, a thread left over. */
final class Faults {
    private static final List<byte[]> KEPT = new ArrayList<>();

    private Faults() {}

    static Stress.Task named(String name) throws Exception {
        var field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        var unsafe = (sun.misc.Unsafe) field.get(null);
        return switch (name) {
            case "leak" -> r -> {
                long a = unsafe.allocateMemory(200_000);
                unsafe.setMemory(a, 200_000, (byte) 1);
            };
            case "wrong" -> r -> Stress.check(r.nextInt(5) != 0, "the seeded fault");
            case "hang" -> r -> {
                synchronized (KEPT) {
                    while (r != null) KEPT.wait();
                }
            };
            case "crash" -> r -> unsafe.putLong(8, 1);
            case "strand" -> r -> {
                Thread t = new Thread(() -> {
                    synchronized (KEPT) {
                        try {
                            KEPT.wait();
                        } catch (InterruptedException e) {
                            KEPT.clear();
                        }
                    }
                });
                t.setDaemon(true);
                t.start();
            };
            default -> throw new IllegalArgumentException(name);
        };
    }
}
