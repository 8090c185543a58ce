// covers: JVM_LatestUserDefinedLoader Unsafe(allocateInstance) ReflectionFactory
import java.io.*;
import java.util.*;

public class R06Serialization {
    static class NoSer {
        int n = 5;

        NoSer() {
            n = 6;
            System.out.println("NoSer()");
        }
    }

    static class A extends NoSer implements Serializable {
        private static final long serialVersionUID = 1;
        int i = 1;
        transient int t = 2;
        String s = "x";
        final double d;
        A self;
        int[] arr = {1, 2};
        Map<String, Object> m = new LinkedHashMap<>();
        En e = En.Q;
        R r = new R(3, "rec");
        Object[] oa = {1, 'c', null, 2.5f, 1L << 40, true, (byte) 1, (short) 2};

        A(double d) {
            this.d = d;
            self = this;
            System.out.println("A()");
        }

        private void writeObject(ObjectOutputStream o) throws IOException {
            o.defaultWriteObject();
            o.writeInt(t * 10);
        }

        private void readObject(ObjectInputStream o) throws IOException, ClassNotFoundException {
            o.defaultReadObject();
            t = o.readInt();
        }
    }

    enum En {
        P,
        Q {}
    }

    record R(int a, String b) implements Serializable {
        R {
            System.out.println("R()");
        }
    }

    static class Sing implements Serializable {
        static final Sing I = new Sing();

        private Object readResolve() {
            return I;
        }
    }

    static class Ext implements Externalizable {
        int v;

        public Ext() {}

        public void writeExternal(ObjectOutput o) throws IOException {
            o.writeInt(v);
        }

        public void readExternal(ObjectInput i) throws IOException {
            v = i.readInt();
        }
    }

    static class Bad implements Serializable {
        Object o = new Object();
    }

    static Object copy(Object o) throws Exception {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream oo = new ObjectOutputStream(b)) {
            oo.writeObject(o);
        }
        System.out.println("bytes " + b.size());
        return new ObjectInputStream(new ByteArrayInputStream(b.toByteArray())).readObject();
    }

    public static void main(String[] args) throws Exception {
        A a = new A(2.5);
        a.m.put("k", List.of(1, 2));
        a.m.put("n", null);
        A c = (A) copy(a);
        System.out.println(
                c.i
                        + " "
                        + c.t
                        + c.s
                        + c.d
                        + (c.self == c)
                        + c.arr[1]
                        + c.m
                        + c.e
                        + (c.e == En.Q)
                        + c.r
                        + c.n
                        + Arrays.toString(c.oa));
        System.out.println(copy(Sing.I) == Sing.I);
        Ext e = new Ext();
        e.v = 44;
        System.out.println(((Ext) copy(e)).v);
        try {
            copy(new Bad());
        } catch (NotSerializableException x) {
            System.out.println(x.getMessage());
        }
        System.out.println(
                copy(new ArrayList<>(List.of("a", "b")))
                        + " "
                        + copy(new int[][] {{1}, {2, 3}}).getClass()
                        + copy(String.class)
                        + copy(new java.math.BigInteger("12345678901234567890"))
                        + copy(new TreeMap<>(Map.of(1, 2)))
                        + copy(java.time.LocalDate.of(2024, 1, 1)));
        java.util.function.Supplier<String> l =
                (java.util.function.Supplier<String> & Serializable) () -> "lambda " + a.s;
        System.out.println(((java.util.function.Supplier<String>) copy(l)).get());
    }
}
