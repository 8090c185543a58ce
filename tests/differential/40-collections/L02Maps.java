import java.util.*;

public class L02Maps {
    record Key(int k) {
        public int hashCode() {
            return k % 3;
        }
    }

    static void exercise(Map<String, Integer> m) {
        System.out.println(m.getClass().getName());
        for (int i = 0; i < 100; i++) m.put("k" + i % 40, i);
        System.out.println(
                m.size()
                        + " "
                        + m.get("k7")
                        + " "
                        + m.get("none")
                        + " "
                        + m.getOrDefault("none", -1)
                        + " "
                        + m.containsKey("k1")
                        + " "
                        + m.containsValue(99));
        m.merge("k1", 1000, Integer::sum);
        m.computeIfAbsent("new", k -> k.length());
        m.computeIfPresent("k2", (k, v) -> null);
        m.compute("k3", (k, v) -> v == null ? 1 : v + 5);
        m.putIfAbsent("k4", -4);
        m.replaceAll((k, v) -> v + 1);
        m.remove("k5");
        m.entrySet().removeIf(e -> e.getValue() % 7 == 0);
        TreeMap<String, Integer> sorted = new TreeMap<>(m);
        System.out.println(sorted + " " + m.hashCode());
        int sum = 0;
        for (Map.Entry<String, Integer> e : m.entrySet()) {
            sum += e.getKey().length() * e.getValue();
            if (!(m instanceof java.util.concurrent.ConcurrentSkipListMap)) e.setValue(0);
        }
        m.replaceAll((k, v) -> 0);
        System.out.println(sum);
        System.out.println(m.values().stream().mapToInt(x -> x).sum());
        m.keySet().retainAll(Set.of("k10", "k11"));
        System.out.println(m.equals(Map.of("k10", 0, "k11", 0)));
    }

    public static void main(String[] args) {
        exercise(new HashMap<>());
        exercise(new LinkedHashMap<>());
        exercise(new TreeMap<>());
        exercise(new Hashtable<>());
        exercise(new java.util.concurrent.ConcurrentHashMap<>());
        exercise(new java.util.concurrent.ConcurrentSkipListMap<>());
        // Collisions make trees.
        HashMap<Key, Integer> trees = new HashMap<>();
        for (int i = 0; i < 500; i++) trees.put(new Key(i), i);
        for (int i = 0; i < 500; i += 2) trees.remove(new Key(i));
        int s = 0;
        for (int i = 0; i < 500; i++) s += trees.getOrDefault(new Key(i), -1);
        System.out.println(s);
        LinkedHashMap<Integer, Integer> lru =
                new LinkedHashMap<>(16, 0.75f, true) {
                    protected boolean removeEldestEntry(Map.Entry<Integer, Integer> e) {
                        return size() > 5;
                    }
                };
        for (int i = 0; i < 20; i++) {
            lru.put(i, i);
            lru.get(i - 2);
        }
        System.out.println(lru);
        TreeMap<Integer, String> t = new TreeMap<>(Comparator.reverseOrder());
        for (int i = 0; i < 30; i += 3) t.put(i, "v" + i);
        System.out.println(
                t.firstKey()
                        + " "
                        + t.floorKey(10)
                        + " "
                        + t.ceilingEntry(10)
                        + " "
                        + t.headMap(15)
                        + " "
                        + t.tailMap(6, false)
                        + " "
                        + t.descendingMap());
        EnumMap<Thread.State, Integer> em = new EnumMap<>(Thread.State.class);
        em.put(Thread.State.WAITING, 1);
        em.put(Thread.State.NEW, 2);
        System.out.println(
                em
                        + " "
                        + EnumSet.range(Thread.State.NEW, Thread.State.WAITING)
                        + EnumSet.complementOf(EnumSet.of(Thread.State.NEW)));
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        id.put(new String("a"), 1);
        id.put(new String("a"), 2);
        System.out.println(id.size());
        Set<Integer> set = new TreeSet<>(List.of(5, 1, 3));
        set.addAll(Set.of(9, 7));
        set.removeAll(List.of(1, 2));
        System.out.println(
                set
                        + " "
                        + new HashSet<>(set).containsAll(set)
                        + " "
                        + Collections.disjoint(set, Set.of(100)));
        try {
            for (Integer i : new HashSet<>(set))
                trees.forEach((k, v) -> trees.put(new Key(k.k + 1000), 0));
        } catch (ConcurrentModificationException e) {
            System.out.println("cme");
        }
        try {
            Map.of("a", 1, "a", 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Properties p = new Properties();
        p.setProperty("x", "y");
        System.out.println(p.getProperty("x") + p.getProperty("z", "d"));
    }
}
