package dev.concord.persist.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Deletes one write-back, fence or sync of the library at a time and requires the crash exploration to notice. Without
 * this, a test that enumerates crashes could be blind and nobody would know. By default a few sites chosen at random;
 * {@code -Dpersist.mutations=all} takes every one.
 */
class MutationTest {
    private static final String CORE = "dev/concord/persist/core/";
    private static final List<String> CLASSES = List.of("DirectEngine", "LoggedEngine", "LogWriter", "Superblock", "HeapObjects", "HeapValues", "Roots");
    private static final String WRITE_THROUGH = "writeThrough(JLjava/nio/ByteBuffer;)V";
    private static final Map<String, Integer> ORDERINGS = Map.of("writeBack(Ldev/concord/persist/core/Memory;JJ)V", 5, "fence()V", 0, "force()V", 0,
            "pwb(JJ)V", 4, "pfence()V", 0, "psync()V", 0, WRITE_THROUGH, 3);

    /**
     * Sites whose loss no crash can show, each with the reason. Everything else must be noticed.
     */
    private static final Map<String, String> HARMLESS = Map.ofEntries(
            Map.entry("DirectEngine.shutdown/pfence", "the library fences all its own stores before; this one serves a user who forgot to"));

    private record Site(String owner, String method, String call, int index) {
        @Override
        public String toString() {
            return owner + "." + method + "/" + call.substring(0, call.indexOf('(')) + "#" + index;
        }
    }

    private static byte[] bytes(String internalName) {
        try (InputStream in = MutationTest.class.getClassLoader().getResourceAsStream(internalName + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Visits every ordering call; drops the one that is asked for. */
    private static byte[] rewrite(String owner, Site drop, List<Site> found) {
        ClassReader r = new ClassReader(bytes(CORE + owner));
        ClassWriter w = new ClassWriter(r, 0);
        r.accept(new ClassVisitor(Opcodes.ASM9, w) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String d, String s, String[] e) {
                int[] count = new int[1];
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, method, d, s, e)) {
                    @Override
                    public void visitMethodInsn(int op, String o, String n, String desc, boolean itf) {
                        Integer words = o.equals(CORE + "Medium") || o.equals(CORE + "Engine") || o.equals(CORE + "DirectEngine") && !n.equals("writeBack")
                                || o.equals(CORE + "HeapValues") && n.equals("pfence") ? ORDERINGS.get(n + desc) : null;
                        boolean forwards = Set.of("pwb", "pfence", "psync").contains(method);
                        if (words == null || forwards && o.equals(CORE + "Engine")) {
                            super.visitMethodInsn(op, o, n, desc, itf);
                            return;
                        }
                        Site here = new Site(owner, method, n + desc, count[0]++);
                        found.add(here);
                        if (!here.equals(drop)) {
                            super.visitMethodInsn(op, o, n, desc, itf);
                            return;
                        }
                        if (words == 3) {
                            super.visitMethodInsn(op, o, "write", desc, itf); // without waiting for the medium
                            return;
                        }
                        // Arguments from the top: two longs if there are any, then a Memory, then the receiver.
                        if (words >= 4) {
                            super.visitInsn(Opcodes.POP2);
                            super.visitInsn(Opcodes.POP2);
                        }
                        if (words == 5) {
                            super.visitInsn(Opcodes.POP);
                        }
                        super.visitInsn(Opcodes.POP);
                    }
                };
            }
        }, 0);
        return w.toByteArray();
    }

    private static final class Mutant extends ClassLoader {
        private final Site site;

        Mutant(Site site) {
            super(MutationTest.class.getClassLoader());
            this.site = site;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.concord.persist.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c == null) {
                    String path = name.replace('.', '/');
                    byte[] b = path.equals(CORE + site.owner) ? rewrite(site.owner, site, new ArrayList<>()) : bytes(path);
                    c = defineClass(name, b, 0, b.length);
                }
                return c;
            }
        }
    }

    private static List<Site> sites() {
        List<Site> all = new ArrayList<>();
        for (String c : CLASSES) {
            rewrite(c, new Site("", "", "()", 0), all);
        }
        return all;
    }

    @Test
    void theUnchangedLibraryPasses() {
        new MutationProbe().run();
    }

    @Test
    void everyMissingOrderingIsNoticed() throws Exception {
        List<Site> all = sites();
        assertTrue(all.size() >= 15, "only " + all + " found");
        all.removeIf(s -> HARMLESS.keySet().stream().anyMatch(h -> s.toString().startsWith(h)));
        boolean every = "all".equals(System.getProperty("persist.mutations"));
        List<Site> chosen = new ArrayList<>(all);
        while (!every && chosen.size() > Integer.getInteger("persist.mutation.samples", 4)) {
            chosen.remove(ThreadLocalRandom.current().nextInt(chosen.size()));
        }
        List<String> survived = new ArrayList<>();
        for (Site s : chosen) {
            Mutant m = new Mutant(s);
            ClassLoader outer = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(m);
            Runnable probe = (Runnable) m.loadClass(MutationProbe.class.getName()).getConstructor().newInstance();
            try {
                probe.run();
                survived.add(s.toString());
            } catch (AssertionError | RuntimeException noticed) {
                System.out.println("noticed " + s + ": " + String.valueOf(noticed.getMessage()).lines().findFirst().orElse(""));
            } finally {
                Thread.currentThread().setContextClassLoader(outer);
            }
        }
        assertEquals(List.of(), survived, "orderings nobody misses, of " + chosen.size());
    }
}
