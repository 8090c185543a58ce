// covers: JVM_Clone JVM_IHashCode invokespecial(ok)
public class C07Objects implements Cloneable {
    int a = 5;
    long b = 6;
    Object c = "ref";
    int[] d = {1, 2};

    static class NotCloneable {
        Object tryClone() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    static class Finalizable {
        protected void finalize() {}
    }

    public C07Objects clone() throws CloneNotSupportedException {
        return (C07Objects) super.clone();
    }

    public static void main(String[] args) throws Exception {
        C07Objects o = new C07Objects();
        int h = o.hashCode();
        C07Objects p = o.clone();
        System.out.println(p != o);
        System.out.println(p.a + p.b);
        System.out.println(p.c == o.c);
        System.out.println(p.d == o.d);
        System.out.println(o.hashCode() == h);
        System.out.println(System.identityHashCode(o) == h);
        System.out.println(System.identityHashCode(null));
        try {
            new NotCloneable().tryClone();
        } catch (CloneNotSupportedException e) {
            System.out.println(e.getMessage());
        }
        synchronized (o) {
            System.out.println(o.hashCode() == h);
            C07Objects q = o.clone();
            System.out.println(Thread.holdsLock(q));
        }
        System.out.println(o.hashCode() == h);
        // Hashes differ from each other nearly always, and are never negative.
        int distinct = 0;
        int last = -1;
        for (int i = 0; i < 100; i++) {
            int x = new Object().hashCode();
            if (x < 0) System.out.println("negative hash");
            if (x != last) distinct++;
            last = x;
        }
        System.out.println(distinct > 90);
        System.out.println(o.equals(p));
        System.out.println(o.equals(o));
        System.out.println(o.toString().startsWith("C07Objects@"));
        System.out.println(o.getClass().getName());
        new Finalizable();
        long[][] deep = {{1}, {2, 3}};
        long[][] copy = deep.clone();
        copy[0] = new long[] {9};
        copy[1][0] = 8;
        System.out.println(deep[0][0] + deep[1][0]);
    }
}
