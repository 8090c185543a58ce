// A loader is asked for the interfaces of a class while its file is read, before a fault behind them is found; for the
// superclass when the file was read.
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public class C45SupertypesInOrder {
    public static class Base { }
    public static class Cls { }
    public interface One { }
    public interface Two { }
    public interface Sub extends Two, One { }
    public static class All extends Base implements One, Sub, Two { int field; void method() { } }

    static class Asking extends ClassLoader {
        final String of;
        final byte[] bytes;
        boolean back;

        Asking(String of, byte[] bytes) {
            super(null);
            this.of = of;
            this.bytes = bytes;
        }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            System.out.println("  asked for " + name);
            if (name.startsWith("java.")) {
                return super.loadClass(name, resolve);
            }
            if (back && !name.equals(of)) {
                return loadClass(of, resolve);
            }
            try {
                byte[] b = name.equals(of) ? bytes : read(name);
                return defineClass(name, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name);
            }
        }
    }
    static byte[] read(String name) throws IOException {
        try (InputStream in = C45SupertypesInOrder.class.getResourceAsStream("/" + name + ".class")) {
            if (in == null) {
                throw new IOException(name);
            }
            return in.readAllBytes();
        }
    }
    static byte[] with(byte[] b, String... fromTo) {
        String s = new String(b, StandardCharsets.ISO_8859_1);
        for (int i = 0; i < fromTo.length; i += 2) {
            s = s.replace("C45SupertypesInOrder$" + fromTo[i], "C45SupertypesInOrder$" + fromTo[i + 1]);
        }
        return s.getBytes(StandardCharsets.ISO_8859_1);
    }
    static void load(String what, byte[] bytes, boolean back) {
        System.out.println(what);
        Asking loader = new Asking("C45SupertypesInOrder$All", bytes);
        loader.back = back;
        for (int i = 0; i < 2; i++) {
            try {
                Class<?> c = i == 0 ? loader.loadClass(loader.of) : Class.forName(loader.of, false, loader);
                System.out.println(c.getName() + " " + c.getSuperclass() + " " + Arrays.toString(c.getInterfaces()));
            } catch (ClassNotFoundException | LinkageError e) {
                String text = e.getMessage();
                System.out.println(e.getClass().getName() + ": " + text.replaceAll("@[0-9a-f]+", "@") + " by " + e.getCause());
            }
        }
    }
    public static void main(String[] args) throws Exception {
        byte[] all = read("C45SupertypesInOrder$All");
        load("as it is", all, false);
        load("nothing there", with(all, "Base", "Bash", "One", "Ono"), false);
        load("second interface missing", with(all, "Base", "Bash", "Sub", "Sob"), false);
        load("superclass missing", with(all, "Base", "Bash"), false);
        load("an interface is none", with(all, "Base", "Bash", "Sub", "Cls"), false);
        load("an interface twice", with(all, "Two", "One"), false);
        load("cut", Arrays.copyOf(all, all.length - 5), false);
        load("cut, superclass missing", Arrays.copyOf(with(all, "Base", "Bash"), all.length - 5), false);
        load("cut, interface missing", Arrays.copyOf(with(all, "One", "Ono"), all.length - 5), false);
        load("longer, interface missing", Arrays.copyOf(with(all, "One", "Ono"), all.length + 5), false);
        load("its own interface", with(all, "One", "All"), false);
        load("comes back", all, true);
    }
}
