// covers: invokedynamic(concat)
public class D02Concat {
    public static void main(String[] args) {
        byte b = -1;
        short s = 300;
        char c = 'c';
        int i = 42;
        long l = 1L << 40;
        float f = 1.5f;
        double d = 2.5;
        boolean z = true;
        String n = null;
        Object o = new StringBuilder("sb");
        int[] a = null;
        System.out.println("" + b + s + c + i + l + f + d + z + n + o + a);
        System.out.println(i + l + "x" + i + l);
        System.out.println("\u20ac" + c + i + "\u0001" + n);
        System.out.println("a" + "b" + i);
        String big = "";
        for (int k = 0; k < 300; k++) big += k;
        System.out.println(big.length() + " " + big.hashCode());
        System.out.println(
                "1" + i + "2" + i + "3" + i + "4" + i + "5" + i + "6" + i + "7" + i + "8" + i + "9"
                        + i + "10" + i + "11" + i + "12" + i + l + d + f + z + c + s + b + o + n);
        char[] cs = {'x'};
        System.out.println("c" + cs[0] + (char) (cs[0] + 1) + (cs[0] + 1));
        final String k1 = "const";
        System.out.println((k1 + 1 == "const1") + " " + ("" + i).equals("42"));
        String t = "t";
        t += i;
        t += 'c';
        t += 1.0;
        t += null;
        System.out.println(t);
        System.out.println(
                "nan"
                        + Double.NaN
                        + Float.NEGATIVE_INFINITY
                        + Long.MIN_VALUE
                        + Integer.MIN_VALUE
                        + Byte.MIN_VALUE
                        + '\uffff'
                        + -0.0);
    }
}
