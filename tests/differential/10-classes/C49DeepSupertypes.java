// vm: own
// skip-mode: zeal move local
// timeout: 120
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Chains of supertypes that are deeper than a stack: loading them by the boot loader, linking and initializing them ends
 * with an error, and the thread goes on. HotSpot ends with its stack; it is asked for what a larger stack holds.
 */
public class C49DeepSupertypes {
    static final boolean HOTSPOT = System.getProperty("java.vm.name").startsWith("OpenJDK");

    static byte[] bytes(String name, String parent, boolean isInterface) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream d = new DataOutputStream(bytes);
        d.writeInt(0xCAFEBABE);
        d.writeInt(61);
        d.writeShort(7);
        for (String s : new String[] {name, parent == null ? "java/lang/Object" : parent, "java/lang/Object"}) {
            d.writeByte(1);
            d.writeUTF(s);
        }
        for (int i = 1; i <= 3; i++) {
            d.writeByte(7);
            d.writeShort(i);
        }
        d.writeShort(isInterface ? 0x601 : 0x21);
        d.writeShort(4);
        d.writeShort(isInterface ? 6 : 5);
        boolean extended = isInterface && parent != null;
        d.writeShort(extended ? 1 : 0);
        if (extended) d.writeShort(5);
        d.writeShort(0);
        d.writeShort(0);
        d.writeShort(0);
        return bytes.toByteArray();
    }

    static class Chain extends ClassLoader {
        final String prefix;
        final int depth;
        final boolean isInterface;

        Chain(String prefix, int depth, boolean isInterface) {
            this.prefix = prefix;
            this.depth = depth;
            this.isInterface = isInterface;
        }

        Class<?> define(int i) {
            try {
                byte[] b = bytes(prefix + i, i == 0 ? null : prefix + (i - 1), isInterface);
                return defineClass(prefix + i, b, 0, b.length);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        protected Class<?> findClass(String name) {
            return define(Integer.parseInt(name.substring(prefix.length())));
        }

        /** From the root on, so that only linking goes deep. */
        Class<?> all() {
            Class<?> c = null;
            for (int i = 0; i < depth; i++) c = define(i);
            return c;
        }
    }

    interface Step {
        void run() throws Throwable;
    }

    static void on(long stack, String name, Step step) throws Exception {
        Thread t =
                new Thread(
                        null,
                        () -> {
                            for (int again = 0; again < 2; again++) {
                                try {
                                    step.run();
                                    System.out.println(name + ": done");
                                } catch (StackOverflowError e) {
                                    System.out.println(name + ": stack overflow");
                                } catch (Throwable e) {
                                    System.out.println(name + ": " + e);
                                }
                            }
                        },
                        name,
                        stack);
        t.start();
        t.join();
    }

    /** On a stack that does not hold it: an error, or the end of it all the same. */
    static void overflow(String name, Step step) throws Exception {
        if (!HOTSPOT) {
            on(256 << 10, name, () -> {
                try {
                    step.run();
                } catch (StackOverflowError | NoClassDefFoundError expected) {
                }
            });
        } else {
            System.out.println(name + ": done\n" + name + ": done");
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?> deep = new Chain("A", 2000, false).all();
        on(64 << 20, "initialize", () -> Class.forName(deep.getName(), true, deep.getClassLoader()));
        Class<?> lazy = new Chain("B", 1500, false).loadClass("B0");
        on(64 << 20, "load", () -> lazy.getClassLoader().loadClass("B1499"));
        on(256 << 10, "load without end", () -> {
            try {
                new Chain("C", 3000, false).loadClass("C2999");
            } catch (StackOverflowError expected) {
            }
        });
        Class<?> deeper = new Chain("D", 5000, false).all();
        overflow("initialize on a small stack", () -> Class.forName(deeper.getName(), true, deeper.getClassLoader()));
        Class<?> interfaces = new Chain("I", 1200, true).all();
        on(64 << 20, "interfaces", () -> Class.forName(interfaces.getName(), true, interfaces.getClassLoader()));
        bootChain();
    }

    /** The boot loader recurses in the VM alone. */
    static void bootChain() throws Exception {
        Path folder = Files.createTempDirectory("chain");
        for (int i = 0; i < 3000; i++) {
            Files.write(folder.resolve("Z" + i + ".class"), bytes("Z" + i, i == 0 ? null : "Z" + (i - 1), false));
        }
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        for (String name : new String[] {"Z200", "Z2999"}) {
            if (HOTSPOT && name.equals("Z2999")) {
                System.out.println("Z2999 0 ended");
                continue;
            }
            Process p =
                    new ProcessBuilder(
                                    java,
                                    "-Xbootclasspath/a:" + folder,
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "C49DeepSupertypes$Boot",
                                    name)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            String text = new String(p.getInputStream().readAllBytes()).trim();
            System.out.println(name + " " + p.waitFor() + " " + text);
        }
        try (var files = Files.list(folder)) {
            for (Path f : (Iterable<Path>) files::iterator) Files.delete(f);
        }
        Files.delete(folder);
    }

    public static class Boot {
        public static void main(String[] args) throws Exception {
            try {
                Class.forName(args[0], true, null);
            } catch (StackOverflowError | NoClassDefFoundError expected) {
            }
            System.out.println("ended");
        }
    }
}
