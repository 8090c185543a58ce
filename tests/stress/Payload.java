import java.util.function.IntSupplier;

/** Loaded again and again, by a loader of its own each time. */
public class Payload implements IntSupplier {
    static int made;
    final int[] data;

    public Payload() {
        made++;
        data = new int[] {3, 1, 2};
    }

    @Override
    public int getAsInt() {
        IntSupplier sum = () -> data[0] + data[1] + data[2];
        String text = "payload " + sum.getAsInt() + " " + made;
        return text.length() * 100 + made;
    }
}
