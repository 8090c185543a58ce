// covers: anewarray(ok,negative) aaload(ok,npe,aioobe) aastore(ok,null,npe,aioobe,arraystore)
// covers: multianewarray(ok,negative,partial)
public class B14RefArrays {
    interface I {}

    static class A implements I {}

    static class B extends A {}

    static void store(Object[] a, int i, Object v) {
        try {
            a[i] = v;
            System.out.println(a[i] == v);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage());
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
    }

    static void load(Object[] a, int i) {
        try {
            System.out.println(a[i] == null);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
    }

    public static void main(String[] args) {
        store(new Object[2], 0, "x");
        store(new String[2], 1, "x");
        store(new String[2], 1, null);
        store(new String[2], 1, new Object());
        store(new A[2], 0, new B());
        store(new B[2], 0, new A());
        store(new I[2], 0, new A());
        store(new I[2], 0, "x");
        store(new int[2][], 0, new int[1]);
        store(new int[2][], 0, new long[1]);
        store(new Object[2][], 0, new String[1]);
        store(new Object[2][], 0, new int[1]);
        store(new Object[2][], 0, new int[1][]);
        store(new Cloneable[1], 0, new int[1]);
        store(new java.io.Serializable[1], 0, new A[1]);
        store(new Runnable[1], 0, new A[1]);
        store(new Object[2], 2, "x");
        store(new Object[2], -1, "x");
        store(new String[2], 5, new Object());
        store(null, 0, "x");
        load(new Object[1], 0);
        load(new Object[1], 1);
        load(new Object[1], -5);
        load(null, 0);
        try {
            Object o = new Object[-1];
            System.out.println(o == null);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        int[][] two = new int[3][4];
        two[1][2] = 5;
        two[2][3] = 6;
        System.out.println(two[1][2] + two[2][3] + two[0][0]);
        System.out.println(two[0] != two[1]);
        long[][][] three = new long[2][3][];
        System.out.println(three[1].length);
        System.out.println(three[1][2] == null);
        String[][][][] four = new String[2][2][2][2];
        four[1][1][1][1] = "deep";
        System.out.println(four[1][1][1][1]);
        System.out.println(four[0][1][1][1] == null);
        System.out.println(new int[0][5].length);
        System.out.println(new int[5][0][7].length);
        int[] sizes = {2, -3};
        try {
            Object o = new int[sizes[0]][sizes[1]];
            System.out.println(o == null);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object o = new int[0][sizes[1]];
            System.out.println(o == null);
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new int[1].getClass().getName());
        System.out.println(new String[1][1].getClass().getName());
        System.out.println(three.getClass().getName());
        System.out.println(new boolean[0].getClass().getName());
        System.out.println(new int[0].getClass() == int[].class);
        System.out.println(new A[0] instanceof I[]);
        System.out.println((Object) new int[0][] instanceof Object[]);
        System.out.println((Object) new int[0] instanceof Object[]);
        int[] c = {1, 2, 3};
        int[] d = c.clone();
        d[0] = 9;
        System.out.println(c[0] + d[0] * 10 + d[2] * 100);
        String[] s = {"a", null};
        System.out.println(s.clone().length);
        System.out.println(s.clone().getClass() == String[].class);
    }
}
