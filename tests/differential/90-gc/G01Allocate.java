// skip-mode: zeal move
// vm: own -Xmx48m
// covers: JVM_GC
import java.util.*;

public class G01Allocate {
    static class Node {
        Node l, r;
        int v;
        long pad;

        Node(int d, int[] c) {
            v = c[0]++;
            if (d > 0) {
                l = new Node(d - 1, c);
                r = new Node(d - 1, c);
            }
        }

        int sum() {
            return v + (l == null ? 0 : l.sum() + r.sum());
        }
    }

    public static void main(String[] args) {
        Node keep = new Node(14, new int[1]);
        int exp = keep.sum();
        long t = 0;
        for (int i = 0; i < 60; i++) {
            t += new Node(12, new int[1]).sum();
            byte[] b = new byte[100_000 + i * 1000];
            b[i] = 1;
            t += b.length;
        }
        System.out.println(t + " " + (keep.sum() == exp));
        Object[] table = new Object[5000];
        Random r = new Random(1);
        for (int i = 0; i < 300000; i++) {
            int k = r.nextInt(table.length);
            table[k] =
                    new Object[] {
                        table[(k + 1) % table.length] == null ? null : k,
                        new int[r.nextInt(20)],
                        "s" + k
                    };
        }
        int h = 0;
        for (int k = 0; k < table.length; k++) {
            Object[] o = (Object[]) table[k];
            if (o != null) {
                if (!("s" + k).equals(o[2])) System.out.println("corrupt");
                h += o[0] == null ? 0 : (Integer) o[0];
            }
        }
        System.out.println("ok " + (h > 0));
        LinkedList<Integer> list = new LinkedList<>();
        for (int i = 0; i < 200000; i++) {
            list.add(i);
            if (i % 2 == 0) list.removeFirst();
        }
        long s = 0;
        for (int v : list) s += v;
        System.out.println(s);
        HashMap<String, int[]> m = new HashMap<>();
        for (int i = 0; i < 100000; i++) m.put("k" + i % 3000, new int[] {i});
        System.out.println(m.get("k2999")[0]);
        System.gc();
        System.out.println(keep.sum() == exp);
    }
}
