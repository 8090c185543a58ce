/** What the generated methods work with: objects with all kinds of fields, in one another, of two classes; and where they are let out. */
class Things {
    interface Marked {
    }

    static class Plain {
        int a;
        long l;
        byte small;
        char letter;
        short brief;
        boolean flag;
        float f;
        double d;
        volatile int shared;
        final int fixed;
        Plain next;

        Plain(int x) {
            a = x;
            fixed = x * 3;
            letter = (char) x;
        }

        int get(int x) {
            return a + fixed + x;
        }

        void add(int x) {
            a += x;
            l ^= a;
        }
    }

    static class Other extends Plain implements Marked {
        int extra;

        Other(int x) {
            super(x + 1);
            extra = x;
        }

        @Override
        int get(int x) {
            return extra * a - x;
        }

        @Override
        void add(int x) {
            extra += x;
            a--;
        }
    }

    static class Holder {
        Plain p;
        int k;

        Holder(Plain p) {
            this.p = p;
        }

        int get(int x) {
            k += x;
            return p.a + k;
        }
    }

    static class Outer {
        Holder h;

        Outer(Holder h) {
            this.h = h;
        }
    }

    static Plain sink;
    static int calls;

    static int probe(Plain p) {
        if (p instanceof Other) {
            Other o = (Other) p;
            o.extra++;
            return o.extra;
        }
        return 5;
    }

    static Plain pick(Plain a, Plain b, int x) {
        return (x & 1) == 0 ? a : b;
    }

    static int depth(Plain p) {
        int n = 0;
        while (p != null && n++ < 10) {
            p = p.next;
        }
        return n;
    }

    /** Now and then a collection has something to do. */
    static int call(int x) {
        if ((++calls & 1023) == 0) {
            Object[] all = new Object[50];
            for (int i = 0; i < 50; i++) {
                all[i] = new int[10];
            }
            sink = null;
        }
        return x * 7 + (x >>> 3);
    }

    static void thrower(int x) {
        if ((x & 1) == 0) {
            throw new IllegalStateException();
        }
        if ((x & 2) == 0) {
            throw null;
        }
    }
}
