// vm: own -Xmx64m
// covers: JVM_ArrayCopy JVM_Clone aastore
// References that come into old objects all at once: the objects behind them are young and have no other holder.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

public class G10BulkStores {
    static final class Box {
        final int value;

        Box(int value) {
            this.value = value;
        }
    }

    static Object sink;

    /** Enough for a collection of the nursery. */
    static void churn() {
        for (int i = 0; i < 150_000; i++) {
            sink = new byte[64];
        }
    }

    static Box[] young(int n, int from) {
        Box[] made = new Box[n];
        for (int i = 0; i < n; i++) {
            made[i] = new Box(from + i);
        }
        return made;
    }

    static long sum(Object[] all) {
        long sum = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] != null) {
                sum = sum * 31 + ((Box) all[i]).value * (i + 1L);
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        for (int length : new int[] {1, 7, 100, 3000, 20_000}) {
            Object[] whole = new Object[length];
            Box[] typed = new Box[length];
            Object[] middle = new Object[length + 20];
            Object[] shifted = new Object[length + 1];
            List<Box> list = new ArrayList<>(length);
            AtomicReferenceArray<Box> atomic = new AtomicReferenceArray<>(length);
            System.gc();
            churn();
            System.arraycopy(young(length, 1), 0, whole, 0, length);
            System.arraycopy((Object[]) young(length, 2), 0, typed, 0, length);
            System.arraycopy(young(length, 3), 0, middle, 10, length);
            shifted[0] = new Box(4);
            System.arraycopy(shifted, 0, shifted, 1, length);
            list.addAll(Arrays.asList(young(length, 5)));
            for (int i = 0; i < length; i++) {
                atomic.compareAndSet(i, null, new Box(6 + i));
            }
            churn();
            System.out.println(length + " " + sum(whole) + " " + sum(typed) + " " + sum(middle) + " " + sum(shifted) + " " + sum(list.toArray()));
            Object[] copy = typed.clone();
            Object[] fill = new Object[length];
            System.gc();
            Arrays.fill(fill, new Box(7));
            Arrays.setAll(typed, i -> new Box(8 + i));
            churn();
            long seen = 0;
            for (int i = 0; i < length; i++) {
                seen = seen * 31 + atomic.getAndSet(i, new Box(9)).value;
            }
            churn();
            System.out.println(sum(copy) + " " + sum(fill) + " " + sum(typed) + " " + seen + " " + atomic.get(length - 1).value);
        }
    }
}
