import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Ciphers, digests and powers modulo a number, in pieces of all sizes, often enough to be compiled. */
public class S12Cryptography {
    static final Random RANDOM = new Random(12);

    static byte[] bytes(int n) {
        byte[] b = new byte[n];
        RANDOM.nextBytes(b);
        return b;
    }

    /** Everything in pieces, whose results together are the result. */
    static byte[] inPieces(Cipher c, byte[] in) throws Exception {
        byte[] out = new byte[in.length + 64];
        int at = 0, from = 0;
        while (from < in.length) {
            int n = Math.min(in.length - from, 1 + RANDOM.nextInt(RANDOM.nextInt(4) == 0 ? 400 : 40));
            at += c.update(in, from, n, out, at);
            from += n;
        }
        at += c.doFinal(out, at);
        return Arrays.copyOf(out, at);
    }

    static void ciphers() throws Exception {
        for (int keyBytes : new int[] {16, 24, 32}) {
            SecretKeySpec key = new SecretKeySpec(bytes(keyBytes), "AES");
            for (String mode : new String[] {"ECB/PKCS5Padding", "CBC/PKCS5Padding", "CBC/NoPadding", "CTR/NoPadding", "GCM/NoPadding", "CFB8/NoPadding"}) {
                Cipher c = Cipher.getInstance("AES/" + mode);
                int hash = 0;
                for (int i = 0; i < 40; i++) {
                    byte[] plain = bytes(mode.equals("CBC/NoPadding") ? 16 * RANDOM.nextInt(60) : RANDOM.nextInt(900));
                    // Counters that are about to carry.
                    byte[] iv = bytes(16);
                    Arrays.fill(iv, 1 + RANDOM.nextInt(15), 16, (byte) 255);
                    var how = mode.startsWith("ECB") ? null : mode.startsWith("GCM") ? new GCMParameterSpec(128, iv) : new IvParameterSpec(iv);
                    c.init(Cipher.ENCRYPT_MODE, key, how);
                    byte[] whole = c.doFinal(plain);
                    c.init(Cipher.DECRYPT_MODE, key, how);
                    if (!Arrays.equals(inPieces(c, whole), plain)) throw new AssertionError(mode + " does not decrypt");
                    if (!mode.startsWith("GCM")) {
                        c.init(Cipher.ENCRYPT_MODE, key, how);
                        if (!Arrays.equals(inPieces(c, plain), whole)) throw new AssertionError(mode + " in pieces");
                    }
                    // In place, and with an overlap.
                    byte[] room = Arrays.copyOf(plain, plain.length + 64);
                    c.init(Cipher.DECRYPT_MODE, key, how);
                    System.arraycopy(whole, 0, room, 0, whole.length);
                    int n = c.doFinal(room, 0, whole.length, room, 0);
                    if (!Arrays.equals(plain, Arrays.copyOf(room, n))) throw new AssertionError(mode + " in place");
                    c.init(Cipher.DECRYPT_MODE, key, how);
                    System.arraycopy(whole, 0, room, 7, whole.length);
                    n = c.doFinal(room, 7, whole.length, room, 0);
                    if (!Arrays.equals(plain, Arrays.copyOf(room, n))) throw new AssertionError(mode + " overlapping");
                    hash = hash * 31 + Arrays.hashCode(whole);
                }
                System.out.println("AES " + 8 * keyBytes + " " + mode + " " + hash);
            }
        }
    }

    static void digests() throws Exception {
        for (String name : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256", "SHA3-256"}) {
            MessageDigest d = MessageDigest.getInstance(name);
            int hash = 0;
            for (int i = 0; i < 60; i++) {
                byte[] b = bytes(RANDOM.nextInt(700));
                int half = RANDOM.nextInt(b.length + 1);
                d.update(b, 0, half);
                MessageDigest copy = (MessageDigest) d.clone();
                d.update(b, half, b.length - half);
                copy.update(b, half, b.length - half);
                byte[] result = d.digest();
                if (!Arrays.equals(result, copy.digest())) throw new AssertionError(name + " of a copy");
                hash = hash * 31 + Arrays.hashCode(result);
            }
            System.out.println(name + " " + hash);
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(bytes(32), "HmacSHA256"));
        System.out.println("HMAC " + Arrays.hashCode(mac.doFinal(bytes(1000))));
        CRC32 crc = new CRC32();
        CRC32C crcC = new CRC32C();
        long sums = 0;
        for (int i = 0; i < 300; i++) {
            byte[] b = bytes(1 + RANDOM.nextInt(500));
            int from = RANDOM.nextInt(b.length);
            crc.update(b, from, b.length - from);
            crcC.update(b, from, b.length - from);
            sums = sums * 31 + crc.getValue() * 17 + crcC.getValue();
            if (RANDOM.nextInt(4) == 0) crc.reset();
        }
        System.out.println("checksums " + sums);
    }

    static void powers() {
        for (int bits : new int[] {64, 65, 127, 128, 192, 521, 1024, 1056, 2048, 2080, 4100}) {
            BigInteger hash = BigInteger.ZERO;
            for (int i = 0; i < (bits > 1500 ? 2 : 12); i++) {
                BigInteger m = new BigInteger(bits, RANDOM).setBit(0).setBit(bits - 1);
                // Factors of ones only are the most that a carry can be.
                if (i % 3 == 1) m = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.valueOf(2 * i + 1));
                BigInteger x = i % 3 == 2 ? m.subtract(BigInteger.ONE) : new BigInteger(bits + 5, RANDOM);
                BigInteger e = new BigInteger(Math.min(bits, 400), RANDOM);
                hash = hash.shiftLeft(1).xor(x.modPow(e, m));
            }
            System.out.println(bits + " bits: " + hash.hashCode());
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            ciphers();
            digests();
            powers();
        }
    }
}
