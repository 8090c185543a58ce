// skip-mode: move jitmove
// All collections there are of the full heap, so that the collector of young objects has none to tell of.
// vm: own -Xmx256m
import com.sun.management.GcInfo;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryManagerMXBean;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Memory pools by the ends of their names, as monitoring libraries find them: what they support, who manages them, sums. */
public class G22MemoryPools {
    static final String[] KINDS = {"Eden Space", "Old Gen", "Tenured Gen", "Metaspace"};
    static List<byte[]> sink = new ArrayList<>();

    /** The kind of a pool; none for those that not every collector has. */
    static String kind(String name) {
        for (String k : KINDS) {
            if (name.endsWith(k)) {
                return k.equals("Tenured Gen") ? "Old Gen" : k;
            }
        }
        return name.startsWith("Code") ? "Code" : null;
    }

    static MemoryPoolMXBean pool(String kind) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(p -> kind.equals(kind(p.getName()))).findFirst().get();
    }

    static boolean isSane(MemoryUsage u) {
        return u.getUsed() >= 0 && u.getUsed() <= u.getCommitted() && (u.getMax() < 0 || u.getCommitted() <= u.getMax());
    }

    static long used(MemoryType type) {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(p -> p.getType() == type)
            .mapToLong(p -> p.getUsage().getUsed()).sum();
    }

    /** Whether the sum of pools is what is told of all: others may allocate between the questions, so it may take some. */
    static boolean sumsUp(MemoryType type, long slack) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 1000; i++) {
            long one = used(type);
            long all = (type == MemoryType.HEAP ? memory.getHeapMemoryUsage() : memory.getNonHeapMemoryUsage()).getUsed();
            if (Math.abs(one - all) <= slack) {
                return true;
            }
        }
        return false;
    }

    static void describe() {
        Map<String, String> rows = new TreeMap<>();
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans()) {
            String kind = kind(p.getName());
            if (kind != null) {
                rows.put(kind, p.getType() + ", usage " + p.isUsageThresholdSupported() + ", collection "
                    + p.isCollectionUsageThresholdSupported() + ", collected " + (p.getCollectionUsage() != null)
                    + ", sane " + (isSane(p.getUsage()) && isSane(p.getPeakUsage())) + ", valid " + p.isValid());
            }
        }
        rows.forEach((k, v) -> System.out.println(k + ": " + v));
        for (MemoryManagerMXBean m : ManagementFactory.getMemoryManagerMXBeans()) {
            Set<String> kinds = new TreeSet<>();
            for (String n : m.getMemoryPoolNames()) {
                if (kind(n) != null) {
                    kinds.add(kind(n));
                }
            }
            System.out.println((m instanceof GarbageCollectorMXBean ? "collector" : m.getName()) + " eden "
                + kinds.contains("Eden Space") + " classes " + kinds.contains("Metaspace") + " code " + kinds.contains("Code"));
        }
    }

    static Set<String> names() {
        Set<String> names = new HashSet<>();
        ManagementFactory.getMemoryPoolMXBeans().forEach(p -> names.add(p.getName()));
        return names;
    }

    static String firstUnsupported(MemoryPoolMXBean p) {
        try {
            p.setUsageThreshold(1);
            return "set";
        } catch (UnsupportedOperationException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) throws Exception {
        describe();
        System.out.println("heap sums up " + sumsUp(MemoryType.HEAP, 4 << 20));
        System.out.println("others sum up " + sumsUp(MemoryType.NON_HEAP, 64 << 10));
        MemoryUsage beside = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        System.out.println("init " + (beside.getInit() > 0) + " max " + beside.getMax());
        System.out.println("eden: " + firstUnsupported(pool("Eden Space")));
        System.out.println("metaspace: max " + pool("Metaspace").getUsage().getMax() + " used " + (pool("Metaspace").getUsage().getUsed() > 0));

        for (int i = 0; i < 400; i++) {
            byte[][] much = new byte[1000][];
            for (int j = 0; j < much.length; j++) {
                much[j] = new byte[1000];
            }
            if (i % 100 == 0) {
                sink.add(much[0]);
            }
        }
        System.gc();
        System.out.println("eden after: " + pool("Eden Space").getCollectionUsage().getUsed());
        MemoryUsage old = pool("Old Gen").getCollectionUsage();
        System.out.println("old after: " + (old.getUsed() > 0 && old.getUsed() < 64 << 20 && isSane(old)));
        System.out.println("eden peak " + (pool("Eden Space").getPeakUsage().getUsed() > 0));
        pool("Eden Space").resetPeakUsage();
        System.out.println("eden peak after its reset " + (pool("Eden Space").getPeakUsage().getUsed() < 64 << 20));
        boolean eden = false;
        for (GarbageCollectorMXBean g : ManagementFactory.getGarbageCollectorMXBeans()) {
            GcInfo info = ((com.sun.management.GarbageCollectorMXBean) g).getLastGcInfo();
            if (info == null) {
                System.out.println("never collected");
                continue;
            }
            Map<String, MemoryUsage> before = info.getMemoryUsageBeforeGc();
            Map<String, MemoryUsage> after = info.getMemoryUsageAfterGc();
            boolean sane = before.values().stream().allMatch(G22MemoryPools::isSane)
                && after.values().stream().allMatch(G22MemoryPools::isSane);
            long classes = before.get("Metaspace").getUsed();
            System.out.println(before.keySet().equals(names()) + " " + after.keySet().equals(names()) + " " + sane + " eden after "
                + after.get(pool("Eden Space").getName()).getUsed() + " classes " + (classes > 0));
            eden |= before.get(pool("Eden Space").getName()).getUsed() > 0;
        }
        System.out.println("eden before " + eden);

        System.out.println(Object.class.getResourceAsStream("Object.class").read() == 0xca);
        for (BufferPoolMXBean b : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (b.getName().startsWith("mapped")) {
                System.out.println(b.getName() + " " + b.getCount() + " " + b.getMemoryUsed());
            }
        }
        System.out.println(sink.size() + Arrays.asList(KINDS).size());
    }
}
