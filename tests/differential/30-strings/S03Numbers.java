public class S03Numbers {
    public static void main(String[] args) {
        double[] ds = {
            0,
            -0.0,
            1,
            -1.5,
            0.1,
            1e7,
            1.0E-3,
            9.999e-4,
            123456789.125,
            1e100,
            4.9e-324,
            1.7976931348623157e308,
            Double.NaN,
            1.0 / 0,
            2.0 / 3,
            1e23,
            5e-5
        };
        for (double d : ds) {
            System.out.println(Double.toString(d));
            System.out.println(Double.toHexString(d));
            System.out.println((float) d);
            System.out.println(Double.parseDouble(Double.toString(d)) == d);
        }
        int[] is = {0, 1, -1, 42, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int i : is) {
            System.out.println(
                    Integer.toString(i)
                            + Integer.toHexString(i)
                            + Integer.toOctalString(i)
                            + Integer.toBinaryString(i)
                            + Integer.toString(i, 36)
                            + Integer.toUnsignedString(i));
            System.out.println(
                    Integer.bitCount(i)
                            + " "
                            + Integer.numberOfLeadingZeros(i)
                            + " "
                            + Integer.numberOfTrailingZeros(i)
                            + " "
                            + Integer.reverse(i)
                            + " "
                            + Integer.reverseBytes(i)
                            + " "
                            + Integer.highestOneBit(i)
                            + " "
                            + Integer.rotateLeft(i, 5)
                            + " "
                            + Integer.compareUnsigned(i, 7)
                            + " "
                            + Integer.divideUnsigned(i, 7));
        }
        long[] ls = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1234567890123L};
        for (long l : ls) {
            System.out.println(
                    Long.toString(l)
                            + Long.toHexString(l)
                            + Long.toString(l, 7)
                            + Long.toUnsignedString(l));
            System.out.println(
                    Long.bitCount(l)
                            + " "
                            + Long.numberOfLeadingZeros(l)
                            + " "
                            + Long.reverse(l)
                            + " "
                            + Long.hashCode(l)
                            + " "
                            + Long.remainderUnsigned(l, 10));
        }
        System.out.println(
                Integer.parseInt("-2147483648")
                        + Integer.parseInt("7f", 16)
                        + Integer.decode("0x10"));
        System.out.println(Long.parseLong("9223372036854775807"));
        System.out.println(Integer.valueOf(127) == Integer.valueOf(127));
        System.out.println(Long.valueOf(-128) == Long.valueOf(-128));
        System.out.println(Character.valueOf('a') == Character.valueOf('a'));
        System.out.println(Boolean.parseBoolean("TRUE"));
        String[] bad = {"", "-", "2147483648", "1.0", "null"};
        for (String b : bad)
            try {
                System.out.println(Integer.parseInt(b));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        System.out.println(
                Math.abs(Integer.MIN_VALUE)
                        + " "
                        + Math.floorMod(-7, 3)
                        + " "
                        + Math.floorDiv(-7, 3)
                        + " "
                        + Math.round(-2.5)
                        + " "
                        + Math.round(2.5f)
                        + " "
                        + Math.rint(2.5)
                        + " "
                        + Math.ceil(-0.5)
                        + " "
                        + Math.floor(-0.5));
        try {
            Math.addExact(Integer.MAX_VALUE, 1);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            Math.multiplyExact(1L << 62, 2L);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            Math.toIntExact(1L << 40);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(
                Math.multiplyHigh(Long.MAX_VALUE, Long.MIN_VALUE)
                        + " "
                        + Math.fma(2.0, 3.0, 1.0)
                        + " "
                        + Math.ulp(1.0)
                        + " "
                        + Math.nextUp(1f)
                        + " "
                        + Math.scalb(1.5, 10)
                        + " "
                        + Math.getExponent(1e10));
        System.out.println(
                Math.signum(-3.0)
                        + " "
                        + Math.copySign(1.0, -0.0)
                        + " "
                        + Math.hypot(3, 4)
                        + " "
                        + Math.cbrt(27)
                        + " "
                        + StrictMath.sqrt(2));
        System.out.println(
                Float.compare(0f, -0f)
                        + " "
                        + Double.compare(Double.NaN, 1)
                        + " "
                        + Double.valueOf(Double.NaN).equals(Double.NaN));
        System.out.println(
                Short.toUnsignedInt((short) -1)
                        + Byte.toUnsignedInt((byte) -1)
                        + Short.reverseBytes((short) 0x1234));
    }
}
