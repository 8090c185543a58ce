public class C04Inner {
    private int x = 1;
    private static int sx = 2;

    class Inner {
        int y = x + 1;

        class Deep {
            int z = x + y;
            private int hidden = 9;
        }

        private void bump() {
            x++;
        }
    }

    static class Nested {
        private int p = 5;

        private Nested() {}

        private static int q() {
            return 6;
        }
    }

    int local(final int k) {
        class Local {
            int v() {
                return k + x;
            }
        }
        return new Local().v();
    }

    static int outer(Nested n) {
        return n.p++ + Nested.q() + n.p;
    }

    enum Color {
        RED,
        GREEN {
            int code() {
                return 20;
            }
        },
        BLUE;

        int code() {
            return ordinal();
        }
    }

    record Point(int x, double y, String s) {
        Point {
            if (x < 0) throw new IllegalArgumentException("negative");
        }

        static int made;

        int twice() {
            return x * 2;
        }
    }

    sealed interface Sh permits Ci, Sq {}

    record Ci(int r) implements Sh {}

    record Sq(int s) implements Sh {}

    static int area(Sh s) {
        if (s instanceof Ci c) return 3 * c.r() * c.r();
        if (s instanceof Sq q && q.s() > 1) return q.s() * q.s();
        return -1;
    }

    public static void main(String[] args) {
        C04Inner o = new C04Inner();
        Inner i = o.new Inner();
        Inner.Deep d = i.new Deep();
        System.out.println(i.y + d.z * 10 + d.hidden * 100);
        i.bump();
        System.out.println(o.x);
        System.out.println(o.local(40));
        System.out.println(outer(new Nested()));
        for (Color c : Color.values()) {
            System.out.println(c.name() + c.ordinal() + c.code());
            switch (c) {
                case RED:
                    System.out.println("r");
                    break;
                case GREEN:
                    System.out.println("g");
                    break;
                default:
                    System.out.println("?");
            }
        }
        System.out.println(Color.valueOf("BLUE") == Color.BLUE);
        try {
            Color.valueOf("PINK");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Color.GREEN.getClass() == Color.class);
        System.out.println(Color.GREEN.getDeclaringClass() == Color.class);
        Point p = new Point(3, 4, "s");
        System.out.println(p.x() + p.twice());
        System.out.println(p.s());
        try {
            new Point(-1, 0, null);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(area(new Ci(2)) + area(new Sq(3)) + area(new Sq(1)));
        Runnable r =
                new Runnable() {
                    int n = sx;

                    public void run() {
                        n++;
                        sx = n;
                        System.out.println(sx);
                    }
                };
        r.run();
        r.run();
    }
}
