// vm: own -Xint -Xmx64m -XX:+UnlockDiagnosticVMOptions -XX:+VerifyAfterGC
import java.io.InputStream;
import java.lang.ref.WeakReference;

/** Without a compiler, too, nothing that the VM knows of a class's place in the hierarchy outlives it. */
public class G13UnloadedHierarchy {
    public static class Below extends ClassLoader implements Runnable {
        public void run() {}
    }

    static class Own extends ClassLoader {
        Own() {
            super(G13UnloadedHierarchy.class.getClassLoader());
        }

        Class<?> define() throws Exception {
            try (InputStream in = getResourceAsStream("G13UnloadedHierarchy$Below.class")) {
                byte[] b = in.readAllBytes();
                return defineClass("G13UnloadedHierarchy$Below", b, 0, b.length);
            }
        }
    }

    static WeakReference<?> once() throws Exception {
        Class<?> c = new Own().define();
        ((Runnable) c.getDeclaredConstructor().newInstance()).run();
        return new WeakReference<>(c);
    }

    static void deep(int n) {
        if (n > 0) deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        int gone = 0;
        for (int round = 0; round < 5; round++) {
            WeakReference<?> w = once();
            deep(100);
            for (int i = 0; i < 50 && w.get() != null; i++) {
                System.gc();
                Thread.sleep(2);
            }
            if (w.get() == null) gone++;
        }
        System.out.println(gone + " of 5 classes unloaded");
    }
}
