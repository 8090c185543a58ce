import java.util.*;
import java.util.stream.*;

public class L11Graphs {
    record Edge(int to, int w) {}

    static List<List<Edge>> graph(int n, int m, long seed) {
        Random r = new Random(seed);
        List<List<Edge>> g = new ArrayList<>();
        for (int i = 0; i < n; i++) g.add(new ArrayList<>());
        for (int i = 0; i < m; i++) {
            int a = r.nextInt(n), b = r.nextInt(n), w = 1 + r.nextInt(100);
            g.get(a).add(new Edge(b, w));
            g.get(b).add(new Edge(a, w));
        }
        return g;
    }

    static long[] dijkstra(List<List<Edge>> g, int s) {
        long[] d = new long[g.size()];
        Arrays.fill(d, Long.MAX_VALUE);
        d[s] = 0;
        PriorityQueue<long[]> q = new PriorityQueue<>((a, b) -> Long.compare(a[1], b[1]));
        q.add(new long[] {s, 0});
        while (!q.isEmpty()) {
            long[] c = q.poll();
            int v = (int) c[0];
            if (c[1] > d[v]) continue;
            for (Edge e : g.get(v))
                if (d[v] + e.w() < d[e.to()]) {
                    d[e.to()] = d[v] + e.w();
                    q.add(new long[] {e.to(), d[e.to()]});
                }
        }
        return d;
    }

    static int find(int[] p, int x) {
        return p[x] == x ? x : (p[x] = find(p, p[x]));
    }

    static long kruskal(List<List<Edge>> g) {
        List<int[]> es = new ArrayList<>();
        for (int v = 0; v < g.size(); v++)
            for (Edge e : g.get(v)) if (v < e.to()) es.add(new int[] {e.w(), v, e.to()});
        es.sort(
                Comparator.<int[]>comparingInt(e -> e[0])
                        .thenComparingInt(e -> e[1])
                        .thenComparingInt(e -> e[2]));
        int[] p = IntStream.range(0, g.size()).toArray();
        long t = 0;
        for (int[] e : es) {
            int a = find(p, e[1]), b = find(p, e[2]);
            if (a != b) {
                p[a] = b;
                t += e[0];
            }
        }
        return t;
    }

    static long[][] floyd(List<List<Edge>> g) {
        int n = g.size();
        long[][] d = new long[n][n];
        for (long[] r : d) Arrays.fill(r, Integer.MAX_VALUE);
        for (int v = 0; v < n; v++) {
            d[v][v] = 0;
            for (Edge e : g.get(v)) d[v][e.to()] = Math.min(d[v][e.to()], e.w());
        }
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
        return d;
    }

    static void dfs(List<List<Edge>> g, int v, boolean[] s, List<Integer> out) {
        s[v] = true;
        for (Edge e : g.get(v)) if (!s[e.to()]) dfs(g, e.to(), s, out);
        out.add(v);
    }

    static String huffman(String t) {
        class N implements Comparable<N> {
            int f, id;
            char c;
            N l, r;

            public int compareTo(N o) {
                return f != o.f ? Integer.compare(f, o.f) : Integer.compare(id, o.id);
            }
        }
        TreeMap<Character, Integer> m = new TreeMap<>();
        for (char c : t.toCharArray()) m.merge(c, 1, Integer::sum);
        PriorityQueue<N> q = new PriorityQueue<>();
        int[] id = {0};
        m.forEach(
                (c, f) -> {
                    N n = new N();
                    n.c = c;
                    n.f = f;
                    n.id = id[0]++;
                    q.add(n);
                });
        while (q.size() > 1) {
            N n = new N();
            n.l = q.poll();
            n.r = q.poll();
            n.f = n.l.f + n.r.f;
            n.id = id[0]++;
            q.add(n);
        }
        TreeMap<Character, String> codes = new TreeMap<>();
        class W {
            void walk(N n, String p) {
                if (n.l == null) codes.put(n.c, p);
                else {
                    walk(n.l, p + "0");
                    walk(n.r, p + "1");
                }
            }
        }
        new W().walk(q.poll(), "");
        return codes.toString();
    }

    static int edit(String a, String b) {
        int[] p = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int[] c = new int[b.length() + 1];
            c[0] = i;
            for (int j = 1; j <= b.length(); j++)
                c[j] =
                        Math.min(
                                Math.min(c[j - 1], p[j]) + 1,
                                p[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
            p = c;
        }
        return p[b.length()];
    }

    static String life(int n, int gens) {
        boolean[][] w = new boolean[n][n];
        Random r = new Random(3);
        for (boolean[] row : w) for (int i = 0; i < n; i++) row[i] = r.nextInt(3) == 0;
        for (int g = 0; g < gens; g++) {
            boolean[][] x = new boolean[n][n];
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    int c = 0;
                    for (int a = -1; a < 2; a++)
                        for (int b = -1; b < 2; b++)
                            if ((a | b) != 0 && w[(i + a + n) % n][(j + b + n) % n]) c++;
                    x[i][j] = c == 3 || w[i][j] && c == 2;
                }
            w = x;
        }
        StringBuilder s = new StringBuilder();
        for (boolean[] row : w) {
            for (boolean b : row) s.append(b ? '#' : '.');
            s.append('\n');
        }
        return s.toString();
    }

    public static void main(String[] args) {
        List<List<Edge>> g = graph(80, 200, 5);
        long[] d = dijkstra(g, 0);
        System.out.println(
                Arrays.stream(d).filter(x -> x < Long.MAX_VALUE).sum() + " " + kruskal(g));
        long[][] f = floyd(g);
        boolean same = true;
        for (int i = 0; i < 80; i++)
            same &= f[0][i] == Math.min(d[i], Integer.MAX_VALUE) || d[i] == Long.MAX_VALUE;
        System.out.println(same);
        List<Integer> o = new ArrayList<>();
        dfs(g, 0, new boolean[80], o);
        System.out.println(o);
        System.out.println(huffman("this is an example of a huffman tree"));
        System.out.println(edit("kitten sitting on the mat", "sitting kitten at the moat"));
        System.out.println(life(20, 30));
        double[] re = new double[64], im = new double[64];
        for (int i = 0; i < 64; i++) re[i] = i % 8;
        fft(re, im);
        System.out.println(Math.round(re[0]) + " " + Math.round(im[8] * 1000));
    }

    static void fft(double[] re, double[] im) {
        int n = re.length;
        for (int i = 1, j = 0; i < n; i++) {
            int bit = n >> 1;
            for (; (j & bit) != 0; bit >>= 1) j ^= bit;
            j ^= bit;
            if (i < j) {
                double t = re[i];
                re[i] = re[j];
                re[j] = t;
                t = im[i];
                im[i] = im[j];
                im[j] = t;
            }
        }
        for (int len = 2; len <= n; len <<= 1) {
            double a = -2 * Math.PI / len;
            for (int i = 0; i < n; i += len)
                for (int k = 0; k < len / 2; k++) {
                    double c = StrictMath.cos(a * k), s = StrictMath.sin(a * k);
                    int p = i + k, q = i + k + len / 2;
                    double x = re[q] * c - im[q] * s, y = re[q] * s + im[q] * c;
                    re[q] = re[p] - x;
                    im[q] = im[p] - y;
                    re[p] += x;
                    im[p] += y;
                }
        }
    }
}
