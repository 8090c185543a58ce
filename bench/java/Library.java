import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What library methods cost that HotSpot has intrinsics for: {@code Library MILLISECONDS} prints microseconds of thread CPU time for 16 KB
 * (ciphers, digests), one operation (keys) or a thousand calls (functions), and a check.
 */
public class Library {
    static final Random RANDOM = new Random(1);
    static final byte[] DATA = new byte[16384], OUT = new byte[17000];
    static final double[] NUMBERS = RANDOM.doubles(1000, 0, 10).toArray();

    interface Sum {
        double of(double[] numbers);
    }

    static double sin(double[] xs) { double s = 0; for (double x : xs) s += Math.sin(x); return s; }
    static double cos(double[] xs) { double s = 0; for (double x : xs) s += Math.cos(x); return s; }
    static double tan(double[] xs) { double s = 0; for (double x : xs) s += Math.tan(x); return s; }
    static double exp(double[] xs) { double s = 0; for (double x : xs) s += Math.exp(x); return s; }
    static double log(double[] xs) { double s = 0; for (double x : xs) s += Math.log(x); return s; }
    static double log10(double[] xs) { double s = 0; for (double x : xs) s += Math.log10(x); return s; }
    static double pow(double[] xs) { double s = 0; for (double x : xs) s += Math.pow(x, 1.7); return s; }

    static void measure(String name, long millis, CpuTime.Work what) throws Throwable {
        int check = what.run();
        System.out.printf("%s %.3f %d%n", name, CpuTime.best(5, millis * 1_000_000, 4, what) / 1e3, check);
    }

    static void function(String name, long millis, Sum sum) throws Throwable {
        // Last bits are each VM's own.
        measure(name, millis, () -> (int) (long) Math.signum(sum.of(NUMBERS)));
    }

    static Cipher cipher(String mode, java.security.spec.AlgorithmParameterSpec how) throws Throwable {
        Cipher c = Cipher.getInstance("AES/" + mode + "/NoPadding");
        c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), how);
        return c;
    }

    public static void main(String[] args) throws Throwable {
        long millis = Long.parseLong(args[0]);
        RANDOM.nextBytes(DATA);
        Cipher gcm = cipher("GCM", new GCMParameterSpec(128, new byte[12]));
        byte[] nonce = new byte[12];
        int[] n = {0};
        measure("aes-gcm", millis, () -> {
            n[0]++;
            for (int i = 0; i < 4; i++) nonce[i] = (byte) (n[0] >> 8 * i);
            gcm.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"), new GCMParameterSpec(128, nonce));
            gcm.doFinal(DATA, 0, DATA.length, OUT, 0);
            return (int) OUT[0];
        });
        for (String mode : new String[] {"CBC", "CTR"}) {
            Cipher c = cipher(mode, new IvParameterSpec(new byte[16]));
            measure("aes-" + mode.toLowerCase(), millis, () -> {
                c.doFinal(DATA, 0, DATA.length, OUT, 0);
                return (int) OUT[5];
            });
        }
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512"}) {
            MessageDigest d = MessageDigest.getInstance(name);
            measure(name.toLowerCase(), millis, () -> Arrays.hashCode(d.digest(DATA)));
        }
        CRC32 crc = new CRC32();
        measure("crc-32", millis, () -> {
            crc.reset();
            crc.update(DATA);
            return (int) crc.getValue();
        });
        CRC32C crcC = new CRC32C();
        measure("crc-32c", millis, () -> {
            crcC.reset();
            crcC.update(DATA);
            return (int) crcC.getValue();
        });
        KeyPairGenerator g = KeyPairGenerator.getInstance("RSA");
        g.initialize(2048, new SecureRandom());
        Signature rsa = Signature.getInstance("SHA256withRSA");
        rsa.initSign(g.generateKeyPair().getPrivate());
        measure("rsa-2048-sign", millis, () -> {
            rsa.update(nonce);
            return rsa.sign().length;
        });
        BigInteger x = new BigInteger(1024, RANDOM), e = new BigInteger(512, RANDOM), m = new BigInteger(1024, RANDOM).setBit(0).setBit(1023);
        measure("mod-pow-1024", millis, () -> x.modPow(e, m).hashCode());
        function("sin", millis, Library::sin);
        function("cos", millis, Library::cos);
        function("tan", millis, Library::tan);
        function("exp", millis, Library::exp);
        function("log", millis, Library::log);
        function("log10", millis, Library::log10);
        function("pow", millis, Library::pow);
    }
}
