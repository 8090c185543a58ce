// covers: JVM_DefineModule(illegalstate)
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A module over a package of which its loader has a class in the unnamed module. */
public class R16LateModules {
    static class L extends ClassLoader {
        Class<?> define(String name) throws IOException {
            byte[] b = empty(name);
            return defineClass(null, b, 0, b.length);
        }
    }

    /** A public class without members. */
    static byte[] empty(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(61);
        out.writeShort(5);
        out.writeByte(7);
        out.writeShort(3);
        out.writeByte(7);
        out.writeShort(4);
        out.writeByte(1);
        out.writeUTF(name);
        out.writeByte(1);
        out.writeUTF("java/lang/Object");
        for (int v : new int[] {0x21, 1, 2, 0, 0, 0, 0}) out.writeShort(v);
        return bytes.toByteArray();
    }

    static ModuleFinder finder(String name, String... packages) {
        ModuleDescriptor d = ModuleDescriptor.newModule(name).packages(Set.of(packages)).build();
        ModuleReference r =
                new ModuleReference(d, URI.create("none:/" + name)) {
                    public ModuleReader open() {
                        return new ModuleReader() {
                            public Optional<URI> find(String n) {
                                return Optional.empty();
                            }

                            public Optional<ByteBuffer> read(String n) {
                                return Optional.empty();
                            }

                            public Stream<String> list() {
                                return Stream.empty();
                            }

                            public void close() {}
                        };
                    }
                };
        return new ModuleFinder() {
            public Optional<ModuleReference> find(String n) {
                return n.equals(name) ? Optional.of(r) : Optional.empty();
            }

            public Set<ModuleReference> findAll() {
                return Set.of(r);
            }
        };
    }

    static void layer(ClassLoader l, String name, String... packages) {
        try {
            Configuration c = ModuleLayer.boot().configuration().resolve(finder(name, packages), ModuleFinder.of(), Set.of(name));
            Module m = ModuleLayer.boot().defineModules(c, n -> l).findModule(name).get();
            System.out.println(m + " " + (m.getClassLoader() == l));
        } catch (Throwable e) {
            for (Throwable t = e; t != null; t = t.getCause()) System.out.println(t);
        }
    }

    public static void main(String[] args) throws Exception {
        L l = new L();
        System.out.println(l.define("first/sub/A").getModule().isNamed());
        System.out.println(l.define("B").getModule().isNamed());
        layer(l, "m.first", "first.sub");
        layer(l, "m.first", "first.sub", "other");
        layer(l, "m.second", "first", "second");
        layer(l, "m.second", "third");
        layer(l, "m.third", "second");
        System.out.println(l.define("second/C").getModule());
        System.out.println(l.define("first/D").getModule());
        System.out.println(l.define("third/E").getModule().isNamed());
        layer(l, "m.third", "third", "fourth");
        layer(l, "m.fourth", "a.b.c");
        layer(l, "m.fifth", "a.b.c", "d");
        layer(new L(), "m.first", "first.sub");
    }
}
