public class S01StringBasics {
    public static void main(String[] args) {
        String s = "Hello, World";
        System.out.println(s.length());
        System.out.println(s.charAt(4));
        System.out.println(s.substring(7));
        System.out.println(s.substring(0, 5));
        System.out.println(s.indexOf('W'));
        System.out.println(s.indexOf("World"));
        System.out.println(s.lastIndexOf('o'));
        System.out.println(s.indexOf("xyz"));
        System.out.println(s.contains("lo, W"));
        System.out.println(s.startsWith("Hell") && s.endsWith("ld"));
        System.out.println(s.replace('l', 'L'));
        System.out.println(s.replace("World", "There"));
        System.out.println(s.toUpperCase());
        System.out.println(s.toLowerCase());
        System.out.println("  trim ".trim().length());
        System.out.println("\u2003strip\u2003".strip());
        System.out.println(s.hashCode());
        System.out.println("".hashCode());
        System.out.println("\u20ac\u0100".hashCode());
        System.out.println(s.equals("Hello, " + args.length + "World"));
        System.out.println("a".compareTo("b") + "abc".compareTo("ab") + "\u0100".compareTo("a"));
        System.out.println("HELLO".equalsIgnoreCase("hello"));
        System.out.println(s.concat("!"));
        System.out.println("ab".repeat(3));
        System.out.println(
                String.valueOf(12)
                        + String.valueOf(true)
                        + String.valueOf('c')
                        + String.valueOf(1.5)
                        + String.valueOf((Object) null));
        System.out.println(new String(new char[] {'x', 'y'}));
        System.out.println(s.isEmpty() + " " + "".isEmpty() + " " + " ".isBlank());
        char[] cs = s.toCharArray();
        System.out.println(cs.length + cs[1]);
        System.out.println("a,b,,c".split(",").length);
        System.out.println(String.join("-", "a", "b", "c"));
        StringBuilder sb = new StringBuilder();
        sb.append(1)
                .append('x')
                .append(2L)
                .append(1.5f)
                .append(2.5)
                .append(true)
                .append("str")
                .append((String) null)
                .append(new char[] {'q'})
                .append(s, 0, 3);
        System.out.println(sb);
        System.out.println(sb.reverse());
        sb.setLength(3);
        sb.insert(1, "INS").deleteCharAt(0).setCharAt(0, 'z');
        System.out.println(sb);
        System.out.println(sb.indexOf("S") + sb.length());
        StringBuffer buf = new StringBuffer("b");
        for (int i = 0; i < 100; i++) buf.append(i);
        System.out.println(buf.length());
        System.out.println(s.chars().sum());
        System.out.println("Line1\nLine2\r\nLine3".lines().count());
        System.out.println("%d-%s".formatted(5, "x"));
    }
}
