// covers: verifier(reject,accept,message)
// JVMS 4.10.1, rule by rule: verdict, error and first line, and a digest of the whole text. With an argument: the
// whole text of the rules that contain it.
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.InputStream;
import java.util.zip.CRC32;

public class C30VerifierRules {
    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] packed;
        try (InputStream in = C30VerifierRules.class.getResourceAsStream("/bad/VerifierRules.bin")) {
            packed = in.readAllBytes();
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(packed));
        int accepted = 0, rejected = 0, wrong = 0;
        while (in.available() > 0) {
            String rule = in.readUTF();
            String name = in.readUTF();
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            String verdict = verdict(name, bytes, args.length > 0 && rule.contains(args[0]));
            boolean passed = verdict.equals("accepted");
            if (passed) {
                accepted++;
            } else {
                rejected++;
            }
            if (rule.charAt(0) != '?' && passed != (rule.charAt(0) == '+')) {
                wrong++;
                System.out.print("UNLIKE ITS MARK ");
            }
            System.out.println(rule + ": " + verdict);
        }
        System.out.println(accepted + " accepted, " + rejected + " rejected");
        if (wrong > 0) {
            throw new AssertionError(wrong + " classes are not what they are meant to be");
        }
    }

    private static String verdict(String name, byte[] bytes, boolean whole) {
        try {
            Loader l = new Loader();
            l.define(name, bytes);
            Class.forName(name, true, l);
            return "accepted";
        } catch (LinkageError e) {
            String text = String.valueOf(e.getMessage());
            if (whole) {
                System.out.println(text);
            }
            int end = text.indexOf('\n');
            // HotSpot has names for the instructions that it uses inside itself.
            if (end < 0 || text.startsWith("Bad instruction")) {
                text = end < 0 ? text : text.substring(0, end);
                return e.getClass().getName() + " " + text;
            }
            CRC32 rest = new CRC32();
            rest.update(text.getBytes());
            return e.getClass().getName() + " " + text.substring(0, end) + " " + Long.toHexString(rest.getValue());
        } catch (Exception e) {
            return e.toString();
        }
    }
}
