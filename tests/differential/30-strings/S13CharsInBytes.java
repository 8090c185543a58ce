import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Strings of two bytes for a character, read, written, encoded and built until their methods are compiled; arrays of bytes and of booleans through the same code. */
public class S13CharsInBytes {
    static final String MIXED = "h\u00e9llo \u4f60\u597d \ud83d\ude00 \u0434\u0430 \uffff\u0000 \ud800x";

    static int scan(String s) {
        int h = 0;
        for (int i = 0; i < s.length(); i++) {
            h = 31 * h + s.charAt(i) + s.codePointAt(i);
        }
        return h;
    }

    static String build(String s, int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < n; i++) {
            b.append(s.charAt(i % s.length())).append(i).append((char) (i * 257)).append(-(long) i);
        }
        b.setCharAt(n / 2, '\u4f60');
        b.insert(n / 3, '\u597d').deleteCharAt(n / 4).reverse();
        return b.toString();
    }

    static int outside(String s, int at) {
        try {
            return s.charAt(at);
        } catch (StringIndexOutOfBoundsException e) {
            return -at;
        }
    }

    /** One instruction for both kinds of array. */
    static void fill(byte[] bytes, boolean[] flags, int v) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (v + i);
        }
        for (int i = 0; i < flags.length; i++) {
            flags[i] = (v + i) % 3 == 0;
        }
    }

    static byte[] held = new byte[8];
    final boolean[] marks = new boolean[8];

    static byte[] given(int n) {
        return n % 2 == 0 ? held : new byte[n % 8 + 1];
    }

    int fields(int v) {
        held[v & 7] = (byte) v;
        marks[v & 7] = (v & 1) != 0;
        given(v)[0] = (byte) (v * 3);
        ((byte[]) (Object) held)[1] = (byte) (v * 5);
        byte[][] rows = {held, new byte[2]};
        rows[v & 1][1] = (byte) (v * 7);
        return Arrays.hashCode(held) + Arrays.hashCode(marks) + rows[1][1];
    }

    public static void main(String[] args) {
        long sum = 0;
        S13CharsInBytes o = new S13CharsInBytes();
        byte[] bytes = new byte[100];
        boolean[] flags = new boolean[100];
        for (int i = 0; i < 6000; i++) {
            sum += scan(MIXED) + outside(MIXED, i % 40 - 5) + o.fields(i);
            if (i % 20 == 0) {
                String s = build(MIXED, i % 97 + 4);
                byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
                sum += Arrays.hashCode(utf8) + new String(utf8, StandardCharsets.UTF_8).hashCode() + s.replace('h', '\u0434').hashCode()
                    + s.toLowerCase().hashCode() + s.toUpperCase().hashCode() + s.indexOf('\u597d') + s.lastIndexOf("1") + s.trim().length()
                    + Arrays.hashCode(s.getBytes(StandardCharsets.UTF_16)) + new String(s.toCharArray()).compareTo(MIXED);
                fill(bytes, flags, i);
                sum += Arrays.hashCode(bytes) + Arrays.hashCode(flags);
            }
        }
        System.out.println(sum);
        System.out.println(build(MIXED, 40).hashCode() + " " + Arrays.toString(Arrays.copyOf(bytes, 10)) + " " + Arrays.toString(Arrays.copyOf(flags, 10)));
    }
}
