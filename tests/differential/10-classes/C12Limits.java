// covers: multianewarray(255) lookupswitch(8000) tableswitch(16000) ldc_w(65534) iinc(wide)
// What a class file can hold at most, and one more.
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;

public class C12Limits {
    static class Loader extends ClassLoader {
        final Map<String, byte[]> known = new LinkedHashMap<>();

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] b = known.get(name);
            if (b == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        Loader loader = new Loader();
        try (InputStream in = C12Limits.class.getResourceAsStream("/bad/Limits.bin")) {
            DataInputStream d = new DataInputStream(new ByteArrayInputStream(in.readAllBytes()));
            while (d.available() > 0) {
                StringBuilder name = new StringBuilder();
                for (int n = d.readInt(); n > 0; n--) {
                    name.append(d.readChar());
                }
                byte[] bytes = new byte[d.readInt()];
                d.readFully(bytes);
                loader.known.put(name.toString(), bytes);
            }
        }
        // Superclasses are loaded from inside of their subclasses' loading.
        Thread t = new Thread(null, () -> all(loader), "limits", 256 << 20);
        t.start();
        t.join();
        dimensions();
    }

    private static void all(Loader loader) {
        for (String name : loader.known.keySet()) {
            if (name.matches("Limit(I|D|DI)\\d+")) {
                continue;
            }
            String shown = name.length() > 40 ? name.length() + " characters" : name;
            try {
                Class<?> c = Class.forName(name, true, loader);
                Object r = c.getMethod("run").invoke(null);
                String text = r.getClass().isArray() ? r.getClass().getName().length() + " deep" : String.valueOf(r);
                System.out.println(shown + " " + (text.length() > 40 ? text.length() + " " + text.hashCode() : text)
                        + " " + c.getDeclaredFields().length + " " + c.getDeclaredMethods().length + " " + c.getInterfaces().length);
            } catch (InvocationTargetException e) {
                System.out.println(shown + " threw " + e.getCause());
            } catch (Throwable e) {
                String text = String.valueOf(e);
                System.out.println(shown + " " + (text.length() > 200 ? text.substring(0, 200) : text));
            }
        }
    }

    private static void dimensions() {
        for (int n : new int[] {1, 254, 255, 256, 300}) {
            try {
                Class<?> c = Class.forName("[".repeat(n) + "I");
                int depth = 0;
                for (Class<?> k = c; k.isArray(); k = k.getComponentType()) {
                    depth++;
                }
                System.out.println(n + " " + depth + " " + c.getName().length() + " " + Array.getLength(Array.newInstance(c.getComponentType(), 3)));
                System.out.println(Array.newInstance(c, 0).getClass().getName().length());
            } catch (Throwable e) {
                System.out.println(n + " " + e.getClass() + " " + String.valueOf(e.getMessage()).length());
            }
            try {
                System.out.println(Array.newInstance(int.class, new int[n]).getClass().getName().length());
            } catch (Throwable e) {
                System.out.println(n + " " + e);
            }
        }
    }
}
