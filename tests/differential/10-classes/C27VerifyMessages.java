// covers: verifier(message)
import java.io.InputStream;

public class C27VerifyMessages {
    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        int n = VerifyCount.count();
        for (int i = 0; i < n; i++) {
            try (InputStream in =
                    C27VerifyMessages.class.getResourceAsStream("/bad/Verify" + i + ".bin")) {
                Loader l = new Loader();
                l.define("Verify" + i, in.readAllBytes());
                Class.forName("Verify" + i, true, l);
            } catch (LinkageError t) {
                System.out.println(t.getMessage());
            }
        }
    }
}
