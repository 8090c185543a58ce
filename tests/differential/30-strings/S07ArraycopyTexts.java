// covers: JVM_ArrayCopy
// What System.arraycopy says of arrays of different lengths, types and depths.
public class S07ArraycopyTexts {
    static void copy(Object from, int at, Object to, int there, int n) {
        try {
            System.arraycopy(from, at, to, there, n);
            System.out.println("copied");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        Object[] arrays = {new boolean[3], new byte[4], new char[5], new short[6], new int[7], new long[8], new float[9], new double[10],
            new Object[11], new String[12], new int[13][2], new Object[14][], "text", null};
        for (Object from : arrays) {
            for (Object to : arrays) {
                copy(from, 1, to, 2, 20);
                copy(from, 1, to, 2, 0);
                copy(from, -1, to, 2, 1);
                copy(from, 1, to, -2, 1);
                copy(from, 1, to, 2, -1);
                copy(from, 0, to, 2, 1);
                copy(from, Integer.MAX_VALUE, to, Integer.MAX_VALUE, Integer.MAX_VALUE);
            }
        }
        int[] small = new int[5], large = new int[50];
        copy(small, 0, large, 0, 6);
        copy(large, 0, small, 0, 6);
        copy(large, 48, small, 0, 3);
        Object[] mixed = {"a", null, 3, "b"};
        String[] strings = new String[4];
        copy(mixed, 0, strings, 0, 4);
        System.out.println(String.join(",", strings[0], strings[1], strings[2]));
        copy(new Integer[2], 0, strings, 0, 2);
    }
}
