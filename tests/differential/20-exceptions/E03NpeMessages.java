// covers: JVM_GetExtendedNPEMessage
public class E03NpeMessages {
    int i;
    Object o;
    int[] arr;
    E03NpeMessages next;
    static E03NpeMessages st;
    static int[][] grid = new int[2][];

    E03NpeMessages get() {
        return null;
    }

    static String str() {
        return null;
    }

    long l;
    double[] ds;
    String[] ss;

    synchronized void sync() {}

    static void run(int k) {
        E03NpeMessages n = null, x = new E03NpeMessages();
        int[] a = null;
        Object[] oa = null;
        byte[] ba = null;
        long[] la = null;
        String s = null;
        int j = 3;
        switch (k) {
            case 0:
                n.i = 1;
                break;
            case 1:
                System.out.println(n.i);
                break;
            case 2:
                a[0] = 1;
                break;
            case 3:
                System.out.println(a[j]);
                break;
            case 4:
                System.out.println(a.length);
                break;
            case 5:
                oa[j + 1] = s;
                break;
            case 6:
                System.out.println(ba[0]);
                break;
            case 7:
                la[0] = 2;
                break;
            case 8:
                n.get();
                break;
            case 9:
                s.length();
                break;
            case 10:
                x.next.i = 4;
                break;
            case 11:
                x.next.next.get();
                break;
            case 12:
                x.get().get();
                break;
            case 13:
                str().length();
                break;
            case 14:
                st.o = null;
                break;
            case 15:
                grid[1][j] = 7;
                break;
            case 16:
                synchronized (s) {
                }
                break;
            case 17:
                throw null;
            case 18:
                x.arr[j]++;
                break;
            case 19:
                x.ss[2].trim();
                break;
            case 20:
                {
                    RuntimeException e = null;
                    throw e;
                }
            case 21:
                {
                    Integer boxed = null;
                    int u = boxed;
                    break;
                }
            case 22:
                {
                    Runnable r = null;
                    r.run();
                    break;
                }
            case 23:
                n.l += 2;
                break;
            case 24:
                x.ds[j * 2 - 1] = 0;
                break;
            case 25:
                n.sync();
                break;
            case 26:
                {
                    java.util.List<String> list = new java.util.ArrayList<>();
                    list.add(null);
                    list.get(0).length();
                    break;
                }
            case 27:
                {
                    switch (s) {
                        case "a":
                    }
                    break;
                }
            case 28:
                java.util.Objects.requireNonNull(s, "given");
                break;
            case 29:
                java.util.Objects.requireNonNull(s);
                break;
            case 30:
                throw new NullPointerException();
            case 31:
                throw new NullPointerException("own");
            case 32:
                param(null, 3);
                break;
            case 33:
                new E03NpeMessages().method(null);
                break;
            case 34:
                for (int q : a) {}
                break;
            default:
                System.out.println("none");
        }
    }

    static void param(int[][] p, int ix) {
        p[ix][ix] = 1;
    }

    void method(E03NpeMessages other) {
        other.next.next = this;
    }

    public static void main(String[] args) {
        for (int k = 0; k < 36; k++) {
            try {
                run(k);
            } catch (NullPointerException e) {
                System.out.println(k + " " + e.getMessage());
            }
        }
    }
}
