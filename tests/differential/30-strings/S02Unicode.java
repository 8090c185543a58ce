// covers: ldc(string-utf16,string-surrogates,string-nul)
public class S02Unicode {
    static void dump(String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < s.length(); i++) b.append((int) s.charAt(i)).append(' ');
        System.out.println(b);
        byte[] u = s.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        b.setLength(0);
        for (byte x : u) b.append(x).append(' ');
        System.out.println(b);
        System.out.println(new String(u, java.nio.charset.StandardCharsets.UTF_8).equals(s));
        System.out.println(s.hashCode());
        System.out.println(s.codePointCount(0, s.length()));
        System.out.println(s.toUpperCase(java.util.Locale.ROOT).hashCode());
    }

    public static void main(String[] args) {
        dump("ascii");
        dump("caf\u00e9 \u00ff");
        dump("\u0100\u20ac");
        dump("\ud83d\ude00x");
        dump("\ud83d");
        dump("\udc00\ud800");
        dump("a\0b");
        dump("\u00df\u0130\ufb01");
        String latin = "abc\u00ff", utf16 = "abc\u0100";
        System.out.println(latin.compareTo(utf16));
        System.out.println(utf16.indexOf('c'));
        System.out.println(utf16.substring(0, 3).equals("abc"));
        System.out.println((latin + utf16).length());
        System.out.println(utf16.replace('\u0100', 'd').equals("abcd"));
        System.out.println(new String(new int[] {0x1f600, 65}, 0, 2).length());
        System.out.println("\ud83d\ude00".codePointAt(0));
        System.out.println(
                Character.isLetter('\u00e9')
                        + " "
                        + Character.isDigit('\u0663')
                        + " "
                        + Character.getNumericValue('\u0663'));
        System.out.println(Character.toChars(0x10ffff).length);
        System.out.println(new StringBuilder("a\ud83d\ude00b").reverse().toString().codePointAt(1));
        String interned = ("int" + args.length).intern();
        System.out.println(interned == "int0");
        System.out.println("\u20ac" + 1 == ("\u20ac" + 1).intern());
    }
}
