import java.util.*;

public class L01Lists {
    static void exercise(List<Integer> l) {
        System.out.println(l.getClass().getName());
        for (int i = 0; i < 50; i++) l.add(i * 37 % 23);
        l.add(3, 1000);
        l.remove(5);
        l.remove(Integer.valueOf(7));
        l.set(0, -1);
        System.out.println(
                l.size() + " " + l.indexOf(9) + " " + l.lastIndexOf(9) + " " + l.contains(1000));
        Collections.sort(l);
        System.out.println(l);
        Collections.reverse(l);
        System.out.println(l.subList(3, 9));
        l.removeIf(x -> x % 2 == 0);
        l.replaceAll(x -> x * 10);
        System.out.println(l);
        ListIterator<Integer> it = l.listIterator();
        while (it.hasNext()) {
            int v = it.next();
            if (v > 100) it.set(v - 100);
            else if (v == 30) it.remove();
            else if (v == 50) it.add(55);
        }
        System.out.println(l + " " + l.hashCode());
        try {
            for (Integer x : l) l.add(x);
        } catch (ConcurrentModificationException e) {
            System.out.println("cme");
        }
        System.out.println(l.equals(new ArrayList<>(l)));
        l.clear();
        System.out.println(l.isEmpty());
        try {
            l.get(0);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        exercise(new ArrayList<>());
        exercise(new LinkedList<>());
        exercise(new Vector<>());
        List<Integer> sh = new ArrayList<>();
        for (int i = 0; i < 20; i++) sh.add(i);
        Collections.shuffle(sh, new Random(42));
        System.out.println(
                sh
                        + " "
                        + Collections.max(sh)
                        + Collections.min(sh)
                        + Collections.frequency(sh, 3));
        Collections.rotate(sh, 5);
        System.out.println(sh + " " + Collections.binarySearch(List.of(1, 3, 5, 7), 5));
        try {
            List.of(1, 2).add(3);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        try {
            List.of(1, null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        System.out.println(
                Arrays.asList("b", "a").toString()
                        + List.copyOf(sh).size()
                        + Collections.unmodifiableList(sh).get(2));
        Integer[] arr = sh.toArray(new Integer[0]);
        Arrays.sort(arr, Comparator.reverseOrder());
        System.out.println(Arrays.toString(arr));
        int[] ia = new Random(7).ints(3000, 0, 10000).toArray();
        Arrays.sort(ia);
        System.out.println(Arrays.hashCode(ia) + " " + Arrays.binarySearch(ia, ia[77]));
        System.out.println(
                Arrays.deepToString(new int[][] {{1}, {2, 3}})
                        + Arrays.equals(ia, ia.clone())
                        + Arrays.mismatch(new int[] {1, 2}, new int[] {1, 3}));
        ArrayDeque<String> dq = new ArrayDeque<>();
        for (int i = 0; i < 40; i++)
            if (i % 3 == 0) dq.addFirst("f" + i);
            else dq.addLast("l" + i);
        System.out.println(dq.pollFirst() + dq.pollLast() + dq.peek() + dq.size());
        PriorityQueue<Integer> pq = new PriorityQueue<>(sh);
        StringBuilder b = new StringBuilder();
        while (!pq.isEmpty()) b.append(pq.poll()).append(' ');
        System.out.println(b);
        BitSet bs = new BitSet();
        for (int i = 0; i < 200; i += 7) bs.set(i);
        System.out.println(
                bs.cardinality() + " " + bs.nextSetBit(100) + " " + bs.nextClearBit(0) + bs);
    }
}
