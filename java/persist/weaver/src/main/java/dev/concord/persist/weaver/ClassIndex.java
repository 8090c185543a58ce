package dev.concord.persist.weaver;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What the weaver knows of classes it does not weave at the moment: whether they persist, and what their fields are.
 * Owns the rule which class is persistent: annotated, or on the explicit list. Reads class files, never loads classes.
 */
public final class ClassIndex {
    static final String PERSISTENT = "Ldev/concord/persist/Persistent;";
    static final String FIELD_ID = "Ldev/concord/persist/FieldId;";
    static final String INLINE = "Ldev/concord/persist/Inline;";
    static final String OBJECT = "java/lang/Object";
    static final String BASE = "dev/concord/persist/PersistentObject";
    static final String POBJECT = "dev/concord/persist/PObject";

    /** One declared instance field; the id is what the heap calls it, the capacity that of an inline value, else 0. */
    record FieldFacts(String name, String descriptor, boolean isTransient, String id, int capacity) {
        FieldFacts with(Object annotated) {
            return annotated instanceof Integer n ? new FieldFacts(name, descriptor, isTransient, id, n > 0 ? n : -1)
                    : new FieldFacts(name, descriptor, isTransient, (String) annotated, capacity);
        }
    }

    /** One class file, as far as weaving needs it. */
    record ClassFacts(String name, String superName, List<String> interfaces, boolean persistent, String fa, boolean woven, int access,
            Map<String, FieldFacts> fields) {
        boolean isInterface() {
            return (access & Opcodes.ACC_INTERFACE) != 0;
        }
    }

    private final Function<String, byte[]> source;
    private final Set<String> listed;
    private final Map<String, ClassFacts> known = new ConcurrentHashMap<>();
    private static final ClassFacts MISSING = new ClassFacts("", null, List.of(), false, "", false, 0, Map.of());

    /**
     * @param source bytes of a class file by internal name, or null
     * @param listed internal names of classes that persist without the annotation
     */
    public ClassIndex(Function<String, byte[]> source, Collection<String> listed) {
        this.source = source;
        this.listed = Set.copyOf(listed);
    }

    ClassFacts get(String name) {
        ClassFacts f = known.computeIfAbsent(name, n -> {
            byte[] b = source.apply(n);
            return b == null ? MISSING : read(b);
        });
        return f == MISSING ? null : f;
    }

    ClassFacts read(byte[] classFile) {
        ClassReader r = new ClassReader(classFile);
        Facts v = new Facts();
        r.accept(v, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return new ClassFacts(r.getClassName(), r.getSuperName(), List.of(r.getInterfaces()), v.annotated || listed.contains(r.getClassName()),
                v.fa, v.woven, r.getAccess(), v.fields);
    }

    void put(ClassFacts f) {
        known.put(f.name, f);
    }

    boolean isPersistent(String name) {
        if (name.startsWith("java/")) {
            return false;
        }
        ClassFacts f = get(name);
        return f != null && f.persistent;
    }

    /** Whether a field of this type refers to a persistent object: a persistent class, or a class of this library. */
    boolean isPersistentType(String name) {
        if (isPersistent(name) || name.equals(POBJECT) || name.equals(BASE)) {
            return true;
        }
        for (ClassFacts f = name.startsWith("java/") ? null : get(name); f != null;) {
            if (f.interfaces.contains(POBJECT)) {
                return true;
            }
            String s = f.superName;
            if (BASE.equals(s)) {
                return true;
            }
            f = s == null || s.startsWith("java/") ? null : get(s);
        }
        return false;
    }

    /** The persistent class that declares this field, seen from an access to {@code owner}, or null if it is not persistent. */
    FieldOwner resolve(String owner, String field) {
        for (String c = owner; c != null && !c.startsWith("java/");) {
            ClassFacts f = get(c);
            if (f == null) {
                return null;
            }
            FieldFacts ff = f.fields.get(field);
            if (ff != null) {
                return f.persistent && !ff.isTransient ? new FieldOwner(f, ff) : null;
            }
            c = f.superName;
        }
        return null;
    }

    /** Where a field access leads. */
    record FieldOwner(ClassFacts owner, FieldFacts field) {
    }

    private static final class Facts extends ClassVisitor {
        boolean annotated;
        boolean woven;
        String fa = "";
        final Map<String, FieldFacts> fields = new LinkedHashMap<>();

        Facts() {
            super(Opcodes.ASM9);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            if (!descriptor.equals(PERSISTENT)) {
                return null;
            }
            annotated = true;
            return new AnnotationVisitor(Opcodes.ASM9) {
                @Override
                public void visit(String name, Object value) {
                    if (name.equals("fa")) {
                        fa = (String) value;
                    }
                }
            };
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            if ((access & Opcodes.ACC_STATIC) == 0) {
                FieldFacts plain = new FieldFacts(name, descriptor, (access & Opcodes.ACC_TRANSIENT) != 0, name, 0);
                fields.put(name, plain);
                return new FieldVisitor(Opcodes.ASM9) {
                    @Override
                    public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
                        return annotation.equals(FIELD_ID) || annotation.equals(INLINE) ? new AnnotationVisitor(Opcodes.ASM9) {
                            @Override
                            public void visit(String key, Object said) {
                                fields.put(name, fields.get(name).with(said));
                            }
                        } : null;
                    }
                };
            } else if (name.equals(FieldCodec.FIELDS)) {
                woven = true;
                // A woven class keeps its persistent fields as text; its stripped fields are still what accesses name.
                for (String f : value == null || value.toString().isEmpty() || value.toString().startsWith("[") ? new String[0] : value.toString().split(",")) {
                    String[] p = f.split(":", 4);
                    fields.put(p[0], new FieldFacts(p[0], p.length > 2 && !p[2].isEmpty() ? p[2] : p[1], false, p.length > 3 ? p[3] : p[0],
                            p[1].length() > 1 ? Integer.parseInt(p[1].substring(1)) : 0));
                }
            }
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            return null;
        }
    }

}
