import java.util.*;
import java.util.regex.*;

public class L05RegexText {
    public static void main(String[] args) {
        Matcher m = Pattern.compile("(?<key>\\w+)=(?<val>[^;]*);?").matcher("a=1;bb=two;c=;d=x y");
        while (m.find())
            System.out.println(
                    m.group("key") + "->" + m.group("val") + " " + m.start() + "-" + m.end());
        System.out.println(
                "2024-01-15".matches("\\d{4}-\\d{2}-\\d{2}")
                        + " "
                        + "aaa".replaceAll("a{2}", "b")
                        + " "
                        + "x1y22z".replaceAll("\\d+", "<$0>")
                        + " "
                        + Arrays.toString("a1b2c3".split("(?<=\\d)")));
        System.out.println(
                Pattern.compile("(a|b)*abb").matcher("abababb").matches()
                        + " "
                        + Pattern.compile("^\\s*$", Pattern.MULTILINE).matcher("a\n\nb").find());
        System.out.println(
                Pattern.compile("\\p{Lu}\\p{Ll}+")
                        .matcher("one Two \u00c9cole")
                        .results()
                        .map(MatchResult::group)
                        .toList());
        System.out.println("CamelCaseString".replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase());
        System.out.println(
                Pattern.compile("(\\w)\\1")
                        .matcher("hello")
                        .replaceAll(r -> r.group().toUpperCase()));
        try {
            Pattern.compile("([");
        } catch (PatternSyntaxException e) {
            System.out.println(e.getMessage());
        }
        Scanner sc = new Scanner("12 abc 3.5 true\nline two");
        System.out.println(
                sc.nextInt()
                        + sc.next()
                        + sc.useLocale(Locale.ROOT).nextDouble()
                        + sc.nextBoolean()
                        + sc.nextLine()
                        + sc.nextLine());
        StringTokenizer st = new StringTokenizer("a,b;c", ",;");
        while (st.hasMoreTokens()) System.out.print(st.nextToken() + " ");
        System.out.println();
        System.out.println(new StringJoiner("|", "{", "}").add("x").add("y"));
        System.out.println(
                Base64.getEncoder().encodeToString("hello world, base64!".getBytes())
                        + " "
                        + new String(Base64.getDecoder().decode("aGk=")));
        System.out.println(
                UUID.nameUUIDFromBytes("x".getBytes())
                        + " "
                        + HexFormat.of().formatHex(new byte[] {1, (byte) 0xab}));
        System.out.println(
                java.text.Normalizer.normalize("e\u0301", java.text.Normalizer.Form.NFC).length());
        Object[] mixed = {1, "s", 2.5, null, 'c', 10L};
        for (Object o : mixed)
            System.out.println(
                    o instanceof Integer i
                            ? "int " + (i + 1)
                            : o instanceof String s && s.length() == 1
                                    ? "short string"
                                    : String.valueOf(o));
        String block =
                """
                text "block"
                  indented\tend \
                joined
                """;
        System.out.println(block);
        System.out.println(
                switch (block.length() % 3) {
                    case 0 -> "zero";
                    case 1 -> {
                        String y = "one";
                        yield y;
                    }
                    default -> "two";
                });
        switch ("FB") {
            case "Ea":
                System.out.println("Ea");
                break;
            case "FB":
                System.out.println("FB with the hash of Ea");
                break;
            default:
                System.out.println("none");
        }
    }
}
