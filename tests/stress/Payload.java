import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/** Loaded again and again, by a loader of its own each time. */
public class Payload implements IntSupplier, IntUnaryOperator {
    static int made;
    final int[] data;

    public Payload() {
        made++;
        data = new int[] {3, 1, 2};
    }

    /** Called often enough to be compiled, now and then: the code goes with the class. */
    public int applyAsInt(int x) {
        return made < 0 ? data[0] : x * data[0] + data[made % 3];
    }

    @Override
    public int getAsInt() {
        IntSupplier sum = () -> data[0] + data[1] + data[2];
        String text = "payload " + sum.getAsInt() + " " + made;
        return text.length() * 100 + made;
    }
}
