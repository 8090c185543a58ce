/**
 * A plain ready flag announces plain data, over arrays, longs and objects; old data behind a new
 * flag is a violation.
 */
public class MessagePassing {
    static final class Cell {
        long value;
        int[] array = new int[4];
        Cell next;
        int ready;
    }

    static final int CELLS = 20_000;
    static Cell[] cells;
    static volatile int round;

    static void send(Cell[] all) {
        for (int i = 0; i < all.length; i++) {
            Cell c = all[i];
            c.value = i + 1L;
            c.array[2] = i + 1;
            c.next = c;
            c.ready = 1;
        }
    }

    static long receive(Cell[] all) {
        long bad = 0;
        for (int i = all.length - 1; i >= 0; i--) {
            Cell c = all[i];
            // A read before the flag's tempts a compiler to use its value again after it.
            long early = c.value + c.array[2];
            int ready = c.ready;
            Cell n = c.next;
            if (ready == 1 && (c.value == 0 || c.array[2] == 0 || n == null || early < 0)) {
                bad++;
            }
        }
        return bad;
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.getInteger("rounds", 400) / 4;
        long bad = 0;
        for (int r = 1; r <= rounds; r++) {
            Cell[] fresh = new Cell[CELLS];
            for (int i = 0; i < CELLS; i++) {
                fresh[i] = new Cell();
            }
            cells = fresh;
            Thread sender = new Thread(() -> send(fresh));
            sender.start();
            bad += receive(fresh);
            sender.join();
        }
        System.out.println("violations " + bad + " of " + (long) rounds * CELLS);
    }
}
