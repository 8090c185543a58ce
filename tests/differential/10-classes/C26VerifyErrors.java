// covers: verifier(reject,accept)
// Class and first line of each rejection; C27VerifyMessages compares the whole text.
import java.io.InputStream;

public class C26VerifyErrors {
    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        int n = VerifyCount.count();
        for (int i = 0; i < n; i++) {
            try (InputStream in =
                    C26VerifyErrors.class.getResourceAsStream("/bad/Verify" + i + ".bin")) {
                Loader l = new Loader();
                l.define("Verify" + i, in.readAllBytes());
                Class.forName("Verify" + i, true, l);
                System.out.println(i + " accepted");
            } catch (LinkageError t) {
                String m = t.getMessage();
                int nl = m.indexOf('\n');
                System.out.println(
                        i + " " + t.getClass().getName() + " " + (nl < 0 ? m : m.substring(0, nl)));
            }
        }
    }
}
