import java.util.Locale;

public class S05Format {
    public static void main(String[] args) {
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "%5d|%-5d|%05d|%x|%X|%o|%,d|%+d|%(d",
                        42,
                        42,
                        42,
                        255,
                        255,
                        8,
                        1234567,
                        7,
                        -7));
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "%f|%.2f|%10.3f|%e|%g|%a",
                        3.14159,
                        2.71828,
                        1.5,
                        12345.678,
                        0.0001234,
                        1.0));
        System.out.println(
                String.format(
                                Locale.ROOT,
                                "%s|%10s|%-10s|%.3s|%S|%c|%b|%n",
                                "text",
                                "right",
                                "left",
                                "truncate",
                                "upper",
                                'c',
                                true)
                        .trim());
        System.out.println(String.format(Locale.ROOT, "%2$s %1$s %<s %%", "a", "b"));
        System.out.println(
                String.format(Locale.ROOT, "%h %s", "hash", java.util.Arrays.asList(1, 2)));
        try {
            String.format("%d", "x");
        } catch (java.util.IllegalFormatException e) {
            System.out.println(e.getMessage());
        }
        try {
            String.format("%s %s", "x");
        } catch (java.util.IllegalFormatException e) {
            System.out.println(e.getMessage());
        }
        try {
            String.format("%q", "x");
        } catch (java.util.IllegalFormatException e) {
            System.out.println(e.getMessage());
        }
        System.out.printf(Locale.ROOT, "%d items%n", 3);
        System.out.println(
                new java.text.DecimalFormat(
                                "#,##0.00", java.text.DecimalFormatSymbols.getInstance(Locale.ROOT))
                        .format(1234567.891));
        System.out.println(java.text.MessageFormat.format("{0} is {1}", "x", "y"));
    }
}
