// covers: putstatic(ok) getstatic(inherited,interface)
public class C08Statics {
    static class P {
        static int v = 1;
        static int[] arr = {1, 2, 3};
        static final Object LOCK = new Object();
    }

    static class Q extends P {
        static int w = v + 1;
    }

    static class R extends Q {
        static int v = 100;
    }

    interface HasConst {
        int N = Integer.parseInt("42");
        String S = "const";
    }

    static class Impl implements HasConst {}

    static long counter;
    static volatile double vd = 1.5;
    static final double FD = Math.sqrt(2);

    public static void main(String[] args) {
        System.out.println(Q.v);
        Q.v = 50;
        System.out.println(P.v);
        System.out.println(R.v);
        System.out.println(Q.w);
        P.arr[1] += Q.v;
        System.out.println(R.arr[1]);
        System.out.println(Impl.N);
        System.out.println(Impl.S);
        for (int i = 0; i < 1000; i++) counter += i * (long) i;
        System.out.println(counter);
        vd *= 2;
        System.out.println(vd);
        System.out.println(FD);
        System.out.println(P.LOCK == Q.LOCK);
    }
}
