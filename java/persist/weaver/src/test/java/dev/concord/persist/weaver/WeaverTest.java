package dev.concord.persist.weaver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PObject;
import dev.concord.persist.PersistException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** What the woven samples do on a real heap. Reflection, because the test itself is compiled against the unwoven ones. */
class WeaverTest {
    private static final String PACKAGE = "dev.concord.persist.weaver.samples.";
    @TempDir
    Path dir;

    /** Weaves the samples as it defines them; everything else comes from the parent. */
    static final class WeavingLoader extends ClassLoader {
        final Weaver weaver = new Weaver(new ClassIndex(ClassDirectory.resources(WeaverTest.class.getClassLoader()),
                List.of((PACKAGE + "Everything$Listed").replace('.', '/'))));

        WeavingLoader() {
            super(WeaverTest.class.getClassLoader());
        }

        byte[] woven(String name) {
            byte[] plain = ClassDirectory.resources(getParent()).apply(name.replace('.', '/'));
            byte[] w = weaver.weave(plain);
            return w == null ? plain : w;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c == null) {
                    byte[] b = woven(name);
                    c = defineClass(name, b, 0, b.length);
                }
                return c;
            }
        }
    }

    private final WeavingLoader loader = new WeavingLoader();

    private PHeap open() {
        Thread.currentThread().setContextClassLoader(loader);
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10).durability(Durability.PROCESS));
    }

    private Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name, true, loader);
    }

    private static Object call(Object o, String method, Object... args) {
        for (var m : o.getClass().getMethods()) {
            if (m.getName().equals(method) && m.getParameterCount() == args.length) {
                try {
                    return m.invoke(o, args);
                } catch (InvocationTargetException e) {
                    throw WeaverTest.<RuntimeException>sneaky(e.getCause());
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
        throw new AssertionError("no method " + method);
    }

    private static Object make(Class<?> c, Object... args) {
        for (var k : c.getConstructors()) {
            if (k.getParameterCount() == args.length) {
                try {
                    return k.newInstance(args);
                } catch (InvocationTargetException e) {
                    throw WeaverTest.<RuntimeException>sneaky(e.getCause());
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }
        }
        throw new AssertionError("no constructor");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable t) throws T {
        throw (T) t;
    }

    private static Object get(Object o, String field) {
        return call(o, "$jnvm$get$" + field);
    }

    private static void set(Object o, String field, Object v) {
        call(o, "$jnvm$set$" + field, v);
    }

    @Test
    void wovenClassesVerify() throws Exception {
        for (String n : List.of("Simple", "Everything$Base", "Everything$Derived", "Everything$Box", "Everything$Failing", "Everything$LowLevel",
                "Everything$Outsider", "Everything$Listed")) {
            byte[] w = loader.woven(PACKAGE + n);
            StringWriter out = new StringWriter();
            CheckClassAdapter.verify(new ClassReader(w), loader, false, new PrintWriter(out));
            assertEquals("", out.toString(), n);
            assertNull(loader.weaver.weave(w), n + " was woven twice");
        }
    }

    @Test
    void thePapersExampleSurvivesReopening() throws Throwable {
        Class<?> simple = load("Simple");
        try (PHeap heap = open()) {
            Object s = heap.root("simple", simple.asSubclass(Object.class), () -> make(simple, 42));
            call(s, "inc");
            assertEquals(43, call(s, "x"));
            assertEquals(30, call(s, "branches", 10));
            assertEquals(30, call(s, "branches", 1));
        }
        try (PHeap heap = open()) {
            Object s = heap.root("simple");
            assertEquals(30, call(s, "x"));
            assertEquals("Hello, NVMM!", call(s, "msg"));
        }
    }

    @Test
    void anExceptionRollsTheMethodBack() throws Throwable {
        Class<?> simple = load("Simple");
        try (PHeap heap = open()) {
            Object s = heap.root("simple", Object.class, () -> make(simple, 42));
            for (boolean inner : new boolean[] {false, true}) {
                assertThrows(IllegalStateException.class, () -> call(s, "failAfterStore", inner));
                assertEquals(42, call(s, "x"));
                assertEquals("Hello, NVMM!", call(s, "msg"));
            }
            call(s, "inc");
            assertEquals(43, call(s, "x"));
            assertThrows(PersistException.Aborted.class, () -> heap.atomic(() -> {
                try {
                    call(s, "failAfterStore", false);
                } catch (IllegalStateException expected) {
                    assertEquals("on purpose", expected.getMessage());
                }
            }));
            assertEquals(43, call(s, "x"));
        }
    }

    @Test
    void everyKindOfFieldComesBack() throws Throwable {
        Class<?> derived = load("Everything$Derived");
        Class<?> point = load("Everything$Point");
        Object red = load("Everything$Colour").getEnumConstants()[0];
        Object green = load("Everything$Colour").getEnumConstants()[1];
        Object inner = point.getConstructors()[0].newInstance(1, 2.5, "in", null);
        Object outer = point.getConstructors()[0].newInstance(3, -0.0, "über\u4e2d", inner);
        UUID uuid = UUID.randomUUID();
        Instant now = Instant.now();
        ZonedDateTime zoned = ZonedDateTime.of(2026, 3, 29, 2, 30, 0, 1, ZoneId.of("Europe/Paris"));
        Object[][] values = {{"z", true}, {"c", '\u1234'}, {"s", (short) -3}, {"i", Integer.MIN_VALUE}, {"f", Float.NaN}, {"d", -1e300}, {"string", "s\ud800x"},
            {"box", 7}, {"colour", green}, {"point", outer}, {"decimal", new BigDecimal("-1.50")}, {"uuid", uuid}, {"instant", now},
            {"date", LocalDate.of(-5, 1, 2)}, {"zoned", zoned}, {"b2", (byte) -1}, {"l", 1L << 60}};
        try (PHeap heap = open()) {
            Object o = heap.root("o", Object.class, () -> make(derived));
            assertEquals(5L, get(o, "l"));
            assertEquals(77, get(o, "constant"));
            for (Object[] v : values) {
                set(o, (String) v[0], v[1]);
            }
            set(o, "ints", new int[] {1, -2, 3});
            set(o, "strings", new String[] {"a", null, "b"});
            set(o, "colour", red);
            set(o, "colour", green);
            set(o, "next", o);
            set(o, "anyBase", o);
            set(o, "anything", o);
            call(o, "setBoth", (byte) 9, 1L << 60);
            assertEquals(2, load("Everything$Outsider").getMethod("bump", derived).invoke(null, o) instanceof Integer n ? n - Integer.MIN_VALUE : -1);
        }
        try (PHeap heap = open()) {
            Object o = heap.root("o");
            for (Object[] v : values) {
                assertEquals(v[0].equals("i") ? Integer.MIN_VALUE + 3 : v[1], get(o, (String) v[0]), (String) v[0]);
            }
            assertArrayEquals(new int[] {1, -2, 3}, (int[]) get(o, "ints"));
            assertArrayEquals(new String[] {"a", null, "b"}, (String[]) get(o, "strings"));
            assertSame(o, get(o, "next"));
            assertSame(o, get(o, "anyBase"));
            assertSame(o, get(o, "anything"));
            assertEquals((byte) 9, call(o, "baseByte"));
            assertEquals("derived from " + (1L << 60), call(o, "derived"));
            set(o, "string", null);
            assertNull(get(o, "string"));
            assertTrue(heap.core().check().sound());
            assertEquals(0, heap.core().check().unreachable().size(), "a replaced value was not freed");
        }
    }

    @Test
    void genericFieldsAreCheckedWhenStored() throws Throwable {
        Class<?> box = load("Everything$Box");
        try (PHeap heap = open()) {
            Object b = heap.root("b", Object.class, () -> make(box));
            call(b, "set", "text");
            assertEquals("text", call(b, "get"));
            set(b, "any", b);
            assertSame(b, get(b, "any"));
            assertThrows(PersistException.Misuse.class, () -> set(b, "any", new StringBuilder("x")));
            assertSame(b, get(b, "any"));
        }
    }

    @Test
    void aConstructorThatFailsLeavesNothing() throws Throwable {
        Class<?> failing = load("Everything$Failing");
        try (PHeap heap = open()) {
            heap.with(() -> {
                assertThrows(IllegalStateException.class, () -> make(failing, true));
                return null;
            });
            assertTrue(!heap.core().inBlock(), "the block is still open");
            assertEquals(0, heap.core().check().unreachable().size());
            heap.with(() -> make(failing, false));
            assertTrue(!heap.core().inBlock(), "the block is still open");
        }
    }

    @Test
    void lowLevelClassesPublishByValidation() throws Throwable {
        Class<?> low = load("Everything$LowLevel");
        try (PHeap heap = open()) {
            heap.with(() -> {
                try {
                    PObject a = (PObject) make(low);
                    PObject b = (PObject) make(low);
                    set(b, "n", 5);
                    b.pwb();
                    b.validate();
                    set(a, "o", b);
                    a.pwb();
                    heap.core().roots().wput("a", a);
                    a.pfence();
                    a.validate();
                    a.psync();
                } catch (Throwable t) {
                    throw new AssertionError(t);
                }
                return null;
            });
        }
        try (PHeap heap = open()) {
            assertEquals(5, get(get(heap.root("a"), "o"), "n"));
        }
    }

    @Test
    void listedClassesPersistWithoutAnnotation() throws Throwable {
        Class<?> listed = load("Everything$Listed");
        try (PHeap heap = open()) {
            Object o = heap.root("l", Object.class, () -> make(listed));
            heap.atomic(() -> {
                set(o, "n", 8);
            });
            assertEquals(8, get(o, "n"));
        }
    }

    @Test
    void aStoreToAnElementOfAnArrayFieldIsRefusedUnlessTheArrayIsPutBack() {
        for (String lost : List.of("Direct", "Local", "Nested", "Filled", "Copied", "Foreign")) {
            WeaveException e = assertThrows(WeaveException.class, () -> loader.woven(PACKAGE + "Elements$" + lost), lost);
            assertTrue(e.getMessage().contains("Elements$" + lost + ".change, line ") && e.getMessage().contains("would be lost"), e.getMessage());
        }
        loader.woven(PACKAGE + "Elements$PutBack");
        loader.woven(PACKAGE + "Elements$Reads");
    }

    @Test
    void lineNumbersStay() throws Throwable {
        Class<?> simple = load("Simple");
        try (PHeap heap = open()) {
            Object s = heap.root("simple", Object.class, () -> make(simple, 1));
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> call(s, "failAfterStore", false));
            assertEquals("Simple.java", e.getStackTrace()[0].getFileName());
            assertEquals(36, e.getStackTrace()[0].getLineNumber());
        }
    }
}
