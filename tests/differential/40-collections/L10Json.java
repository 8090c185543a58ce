import java.util.*;

/**
 * A JSON reader and printer with a random document generator: recursion, maps, strings, numbers,
 * errors with positions.
 */
public class L10Json {
    static final class Parser {
        final String s;
        int p;

        Parser(String s) {
            this.s = s;
        }

        Object parse() {
            Object v = value();
            ws();
            if (p != s.length()) fail("trailing");
            return v;
        }

        void fail(String m) {
            throw new IllegalArgumentException(m + " at " + p);
        }

        void ws() {
            while (p < s.length() && Character.isWhitespace(s.charAt(p))) p++;
        }

        char peek() {
            if (p >= s.length()) fail("end");
            return s.charAt(p);
        }

        void expect(String w) {
            if (!s.startsWith(w, p)) fail("expected " + w);
            p += w.length();
        }

        Object value() {
            ws();
            switch (peek()) {
                case '{':
                    {
                        Map<String, Object> m = new LinkedHashMap<>();
                        p++;
                        ws();
                        if (peek() == '}') {
                            p++;
                            return m;
                        }
                        do {
                            ws();
                            String k = string();
                            ws();
                            expect(":");
                            if (m.put(k, value()) != null) fail("duplicate");
                            ws();
                        } while (more('}'));
                        return m;
                    }
                case '[':
                    {
                        List<Object> l = new ArrayList<>();
                        p++;
                        ws();
                        if (peek() == ']') {
                            p++;
                            return l;
                        }
                        do {
                            l.add(value());
                            ws();
                        } while (more(']'));
                        return l;
                    }
                case '"':
                    return string();
                case 't':
                    expect("true");
                    return true;
                case 'f':
                    expect("false");
                    return false;
                case 'n':
                    expect("null");
                    return null;
                default:
                    return number();
            }
        }

        boolean more(char end) {
            char c = peek();
            p++;
            if (c == ',') return true;
            if (c != end) {
                p--;
                fail("bad separator");
            }
            return false;
        }

        String string() {
            expect("\"");
            StringBuilder b = new StringBuilder();
            while (peek() != '"') {
                char c = s.charAt(p++);
                if (c == '\\') {
                    c = peek();
                    p++;
                    switch (c) {
                        case 'n':
                            b.append('\n');
                            break;
                        case 't':
                            b.append('\t');
                            break;
                        case 'u':
                            b.append((char) Integer.parseInt(s.substring(p, p + 4), 16));
                            p += 4;
                            break;
                        default:
                            b.append(c);
                    }
                } else b.append(c);
            }
            p++;
            return b.toString();
        }

        Object number() {
            int st = p;
            while (p < s.length() && "+-.eE0123456789".indexOf(s.charAt(p)) >= 0) p++;
            if (st == p) fail("number");
            String t = s.substring(st, p);
            if (t.matches("-?\\d+"))
                return t.length() < 18 ? (Object) Long.valueOf(t) : new java.math.BigInteger(t);
            return Double.valueOf(t);
        }
    }

    static void print(Object o, StringBuilder b, int ind) {
        if (o instanceof Map<?, ?> m) {
            b.append("{");
            boolean first = true;
            for (Map.Entry<?, ?> e : m.entrySet()) {
                b.append(first ? "\n" : ",\n").append(" ".repeat(ind + 1));
                first = false;
                print(e.getKey(), b, 0);
                b.append(": ");
                print(e.getValue(), b, ind + 1);
            }
            b.append(first ? "}" : "\n" + " ".repeat(ind) + "}");
        } else if (o instanceof List<?> l) {
            b.append('[');
            for (int i = 0; i < l.size(); i++) {
                if (i > 0) b.append(", ");
                print(l.get(i), b, ind + 1);
            }
            b.append(']');
        } else if (o instanceof String s) {
            b.append('"');
            for (char c : s.toCharArray()) {
                if (c == '"' || c == '\\') b.append('\\').append(c);
                else if (c < 32 || c > 126) b.append(String.format("\\u%04x", (int) c));
                else b.append(c);
            }
            b.append('"');
        } else b.append(o);
    }

    static Object random(Random r, int d) {
        switch (r.nextInt(d > 4 ? 5 : 7)) {
            case 0:
                return r.nextLong() >> r.nextInt(60);
            case 1:
                return r.nextDouble();
            case 2:
                return r.nextBoolean();
            case 3:
                return null;
            case 4:
                {
                    StringBuilder b = new StringBuilder();
                    for (int i = r.nextInt(8); i > 0; i--)
                        b.append(
                                (char)
                                        (r.nextInt(4) == 0
                                                ? r.nextInt(0x3000) + 1
                                                : 'a' + r.nextInt(26)));
                    return b.toString();
                }
            case 5:
                {
                    List<Object> l = new ArrayList<>();
                    for (int i = r.nextInt(5); i > 0; i--) l.add(random(r, d + 1));
                    return l;
                }
            default:
                {
                    Map<String, Object> m = new LinkedHashMap<>();
                    for (int i = r.nextInt(5); i > 0; i--)
                        m.put("k" + r.nextInt(100), random(r, d + 1));
                    return m;
                }
        }
    }

    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        Object o =
                new Parser(
                                "{\"a\": [1, 2.5e3, true, null, \"x\\n"
                                    + "\\u20ac\"], \"b\": {\"c\": -12345678901234567890}, \"d\":"
                                    + " []}")
                        .parse();
        print(o, b, 0);
        System.out.println(b);
        for (String bad :
                new String[] {
                    "",
                    "{",
                    "[1,",
                    "{\"a\" 1}",
                    "tru",
                    "[1 2]",
                    "{\"a\":1,\"a\":2}",
                    "\"abc",
                    "1 2",
                    "-x"
                })
            try {
                new Parser(bad).parse();
                System.out.println("accepted");
            } catch (IllegalArgumentException e) {
                System.out.println(bad + " -> " + e.getMessage());
            }
        Random r = new Random(99);
        int h = 0;
        for (int i = 0; i < 150; i++) {
            Object doc = random(r, 0);
            StringBuilder t = new StringBuilder();
            print(doc, t, 0);
            Object back = new Parser(t.toString()).parse();
            if (!Objects.equals(String.valueOf(doc), String.valueOf(back)))
                System.out.println("differs " + t);
            h = h * 31 + t.toString().hashCode();
        }
        System.out.println(h);
    }
}
