import java.math.*;

public class L04BigNumbers {
    public static void main(String[] args) {
        BigInteger f = BigInteger.ONE;
        for (int i = 1; i <= 200; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f);
        System.out.println(
                f.bitLength()
                        + " "
                        + f.mod(BigInteger.valueOf(1000003))
                        + " "
                        + f.gcd(BigInteger.TWO.pow(100))
                        + " "
                        + f.negate().shiftRight(500).hashCode());
        BigInteger p = new BigInteger("170141183460469231731687303715884105727");
        System.out.println(
                p.isProbablePrime(20)
                        + " "
                        + BigInteger.valueOf(3).modPow(p.subtract(BigInteger.ONE), p)
                        + " "
                        + BigInteger.valueOf(12345).modInverse(p));
        System.out.println(
                f.sqrt().toString(36).hashCode()
                        + " "
                        + f.divideAndRemainder(p)[1]
                        + " "
                        + new BigInteger("-ff", 16)
                        + " "
                        + p.toByteArray().length);
        BigInteger a = BigInteger.ONE, b = BigInteger.ONE;
        for (int i = 0; i < 3000; i++) {
            BigInteger t = a.add(b);
            a = b;
            b = t;
        }
        System.out.println(
                b.toString().length()
                        + " "
                        + b.hashCode()
                        + " "
                        + b.pow(3).multiply(b.pow(4)).equals(b.pow(7)));
        BigDecimal d = new BigDecimal("1").divide(new BigDecimal("7"), 50, RoundingMode.HALF_EVEN);
        System.out.println(
                d
                        + " "
                        + d.multiply(d).setScale(20, RoundingMode.DOWN)
                        + " "
                        + new BigDecimal("1E+5").toPlainString()
                        + " "
                        + new BigDecimal("100.00").stripTrailingZeros());
        System.out.println(
                new BigDecimal(0.1)
                        + " "
                        + BigDecimal.valueOf(0.1)
                        + " "
                        + new BigDecimal("2").sqrt(new MathContext(40)));
        try {
            BigDecimal.ONE.divide(BigDecimal.valueOf(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
