// vm: own -Xmx64m
// skip-mode: zeal move jitmove
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.*;
import java.util.*;

/**
 * Objects of many sizes that die at random among others that live on: full collections make room where they lay. What lives
 * is looked at each round; so are references to what has died, and identity hashes.
 */
public class G26Gaps {
    private static final class Entry {
        final int number;
        final int hash;
        Object payload;
        Entry next;

        Entry(int number, Object payload) {
            this.number = number;
            this.payload = payload;
            this.hash = System.identityHashCode(this);
        }

        boolean isSound() {
            if (hash != System.identityHashCode(this)) return false;
            if (payload instanceof byte[] b) return b.length == 0 || b[b.length - 1] == (byte) number;
            if (payload instanceof long[] l) return l.length == 0 || l[l.length - 1] == number;
            if (payload instanceof String s) return s.equals("entry " + number);
            return payload instanceof Object[] o && o.length == number % 7 + 1 && ((Entry) o[0]).number == -number;
        }
    }

    private static Entry entry(int number, Random random) {
        Object payload;
        switch (random.nextInt(4)) {
            case 0 -> {
                byte[] b = new byte[random.nextInt(200)];
                if (b.length > 0) b[b.length - 1] = (byte) number;
                payload = b;
            }
            case 1 -> {
                long[] l = new long[random.nextInt(random.nextInt(100) == 0 ? 3000 : 12)];
                if (l.length > 0) l[l.length - 1] = number;
                payload = l;
            }
            case 2 -> payload = "entry " + number;
            default -> {
                Object[] o = new Object[number % 7 + 1];
                o[0] = new Entry(-number, null);
                payload = o;
            }
        }
        return new Entry(number, payload);
    }

    private static long fullCollections() {
        long n = 0;
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) n += b.getCollectionCount();
        return n;
    }

    public static void main(String[] args) {
        Random random = new Random(1);
        Entry[] all = new Entry[100_000];
        for (int i = 0; i < all.length; i++) all[i] = entry(i, random);
        ReferenceQueue<Entry> queue = new ReferenceQueue<>();
        List<WeakReference<Entry>> weak = new ArrayList<>();
        Map<Entry, Integer> byIdentity = new WeakHashMap<>();
        long before = fullCollections();
        int enqueued = 0;
        for (int round = 0; round < 12; round++) {
            for (int n = 0; n < 60_000; n++) {
                int i = random.nextInt(all.length);
                if (n % 500 == 0) {
                    weak.add(new WeakReference<>(all[i], queue));
                    byIdentity.put(all[i], i);
                }
                Entry e = entry(i, random);
                e.next = n % 10 == 0 ? all[i] : null;
                all[i] = e;
                // Chains do not grow: what was replaced twice is dead.
                if (e.next != null) e.next.next = null;
            }
            int unsound = 0;
            for (int i = 0; i < all.length; i++) {
                if (all[i].number != i || !all[i].isSound()) unsound++;
                if (all[i].next != null && (all[i].next.number != i || !all[i].next.isSound())) unsound++;
            }
            while (queue.poll() != null) enqueued++;
            if (unsound > 0) System.out.println("round " + round + ": " + unsound + " unsound");
        }
        System.out.println("collected: " + (fullCollections() > before));
        // The map's references are enqueued one by one too, and may come after the last of ours.
        for (int i = 0; i < 50 && (enqueued < weak.size() || !byIdentity.isEmpty()); i++) {
            Arrays.fill(all, null);
            System.gc();
            Reference<? extends Entry> r = null;
            try {
                r = queue.remove(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            while (r != null) {
                enqueued++;
                r = queue.poll();
            }
        }
        System.out.println("all enqueued: " + (enqueued == weak.size()) + ", left: " + byIdentity.size());
    }
}
