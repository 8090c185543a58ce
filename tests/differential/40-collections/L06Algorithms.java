import java.security.*;
import java.util.*;
import java.util.zip.*;

public class L06Algorithms {
    static int queens(int n, int row, int c, int d, int e) {
        if (row == n) return 1;
        int r = 0;
        for (int i = 0; i < n; i++) {
            int x = 1 << i, y = 1 << (row + i), z = 1 << (row - i + n);
            if ((c & x) == 0 && (d & y) == 0 && (e & z) == 0)
                r += queens(n, row + 1, c | x, d | y, e | z);
        }
        return r;
    }

    static String lcs(String a, String b) {
        int[][] t = new int[a.length() + 1][b.length() + 1];
        for (int i = a.length() - 1; i >= 0; i--)
            for (int j = b.length() - 1; j >= 0; j--)
                t[i][j] =
                        a.charAt(i) == b.charAt(j)
                                ? t[i + 1][j + 1] + 1
                                : Math.max(t[i + 1][j], t[i][j + 1]);
        StringBuilder s = new StringBuilder();
        for (int i = 0, j = 0; i < a.length() && j < b.length(); ) {
            if (a.charAt(i) == b.charAt(j)) {
                s.append(a.charAt(i));
                i++;
                j++;
            } else if (t[i + 1][j] >= t[i][j + 1]) i++;
            else j++;
        }
        return s.toString();
    }

    static void perms(int[] a, int k, List<String> out) {
        if (k == a.length) {
            out.add(Arrays.toString(a));
            return;
        }
        for (int i = k; i < a.length; i++) {
            int t = a[k];
            a[k] = a[i];
            a[i] = t;
            perms(a, k + 1, out);
            t = a[k];
            a[k] = a[i];
            a[i] = t;
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(queens(7, 0, 0, 0, 0));
        System.out.println(lcs("the quick brown fox jumps", "over the lazy dog quickly"));
        List<String> out = new ArrayList<>();
        perms(new int[] {1, 2, 3, 4, 5}, 0, out);
        System.out.println(out.size() + out.get(77) + out.hashCode());
        byte[] data = new byte[20000];
        new Random(1).nextBytes(data);
        for (int i = 0; i < data.length; i++) data[i] &= 0x3f;
        CRC32 crc = new CRC32();
        crc.update(data);
        Adler32 ad = new Adler32();
        ad.update(data, 5, 1000);
        CRC32C cc = new CRC32C();
        cc.update(data);
        System.out.println(crc.getValue() + " " + ad.getValue() + " " + cc.getValue());
        for (String alg : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"})
            System.out.println(
                    alg + HexFormat.of().formatHex(MessageDigest.getInstance(alg).digest(data)));
        Deflater df = new Deflater();
        df.setInput(data);
        df.finish();
        byte[] z = new byte[30000];
        int n = df.deflate(z);
        df.end();
        Inflater inf = new Inflater();
        inf.setInput(z, 0, n);
        byte[] back = new byte[20000];
        System.out.println(inf.inflate(back) + " " + Arrays.equals(data, back) + (n < 20000));
        inf.end();
        javax.crypto.Cipher c = javax.crypto.Cipher.getInstance("AES/CBC/PKCS5Padding");
        c.init(
                javax.crypto.Cipher.ENCRYPT_MODE,
                new javax.crypto.spec.SecretKeySpec(new byte[16], "AES"),
                new javax.crypto.spec.IvParameterSpec(new byte[16]));
        System.out.println(Arrays.hashCode(c.doFinal(data)));
        javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA256");
        mac.init(new javax.crypto.spec.SecretKeySpec(new byte[] {1, 2}, "x"));
        System.out.println(Arrays.hashCode(mac.doFinal(data)));
        System.out.println(
                new Random(123).nextGaussian() + " " + new SplittableRandom(5).nextLong());
        System.out.println(
                java.time.LocalDate.of(2024, 2, 28).plusDays(2)
                        + " "
                        + java.time.Duration.ofSeconds(3725)
                        + " "
                        + java.time.Instant.ofEpochSecond(1700000000)
                        + " "
                        + java.time.ZonedDateTime.of(
                                        2024,
                                        1,
                                        1,
                                        0,
                                        0,
                                        0,
                                        0,
                                        java.time.ZoneId.of("Europe/Berlin"))
                                .toInstant()
                        + " "
                        + java.time.format.DateTimeFormatter.ofPattern("yyyy/MM/dd")
                                .format(java.time.LocalDate.of(2023, 12, 5)));
    }
}
