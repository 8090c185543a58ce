// covers: JVM_ActiveProcessorCount JVM_AreNestMates JVM_ArrayCopy JVM_AssertionStatusDirectives JVM_Clone
// covers: JVM_CurrentThread JVM_CurrentTimeMillis JVM_DefineClass JVM_DesiredAssertionStatus JVM_FillInStackTrace
// covers: JVM_FindClassFromClass JVM_FindLoadedClass JVM_FindPrimitiveClass JVM_FreeMemory JVM_GC
// covers: JVM_GetArrayElement JVM_GetArrayLength JVM_GetCallerClass JVM_GetClassAccessFlags
// covers: JVM_GetClassModifiers JVM_GetClassSigners JVM_GetClassTypeAnnotations JVM_GetFieldTypeAnnotations
// covers: JVM_GetInheritedAccessControlContext JVM_GetNanoTimeAdjustment JVM_GetPrimitiveArrayElement
// covers: JVM_GetRandomSeedForDumping JVM_GetStackAccessControlContext JVM_GetSystemPackages
// covers: JVM_GetTemporaryDirectory JVM_HoldsLock JVM_IHashCode JVM_InitAgentProperties JVM_InitClassName
// covers: JVM_InternString JVM_Interrupt JVM_IsArrayClass JVM_IsCDSDumpingEnabled JVM_IsDumpingClassList
// covers: JVM_IsHiddenClass JVM_IsInterface JVM_IsPrimitiveClass JVM_IsRecord JVM_IsSharingEnabled
// covers: JVM_LatestUserDefinedLoader JVM_MaxMemory JVM_MaxObjectInspectionAge JVM_MonitorNotify
// covers: JVM_MonitorNotifyAll JVM_MonitorWait JVM_NanoTime JVM_NativePath JVM_NewArray JVM_NewMultiArray
// covers: JVM_PhantomReferenceRefersTo JVM_RawMonitorCreate JVM_RawMonitorDestroy
// covers: JVM_RawMonitorEnter JVM_RawMonitorExit JVM_ReferenceClear JVM_ReferenceRefersTo
// covers: JVM_SetArrayElement JVM_SetClassSigners JVM_SetNativeThreadName JVM_SetPrimitiveArrayElement
// covers: JVM_SetThreadPriority JVM_Sleep JVM_SupportsCX8 JVM_TotalMemory JVM_Yield
// covers: JVM_ConstantPoolGetClassAt JVM_ConstantPoolGetClassAtIfLoaded JVM_ConstantPoolGetFieldAt
// covers: JVM_ConstantPoolGetFieldAtIfLoaded JVM_ConstantPoolGetMethodAt JVM_ConstantPoolGetMethodAtIfLoaded
// covers: JVM_ConstantPoolGetMemberRefInfoAt JVM_ConstantPoolGetClassRefIndexAt JVM_HasReferencePendingList
// covers: JVM_ConstantPoolGetNameAndTypeRefIndexAt JVM_ConstantPoolGetNameAndTypeRefInfoAt JVM_RaiseSignal
// covers: JVM_ConstantPoolGetSize JVM_ConstantPoolGetTagAt JVM_ConstantPoolGetStringAt
// covers: jio_snprintf jio_fprintf JNI_GetCreatedJavaVMs JNI_GetDefaultJavaVMInitArgs JNI_CreateJavaVM
import java.lang.annotation.*;
import java.lang.ref.*;
import java.util.*;

/**
 * Exported functions of the VM that the class library reaches only through natives which a VM may
 * take over: called by name, as a native library would.
 */
public class J20Exports {
    static {
        System.loadLibrary("jnitest");
    }

    static native long number(String name, String kinds, Object[] objects, long[] numbers);

    static native Object object(String name, String kinds, Object[] objects, long[] numbers);

    static native String text(String name, String kinds, Object[] objects, long[] numbers);

    static native Class<?> define(String name, ClassLoader loader, byte[] bytes);

    static native void printing();

    static native void rawMonitor();

    static native String nativePath();

    static native void machines();

    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {}

    static class Marked implements @Mark Runnable {
        public void run() {}
    }

    record Point(int x, int y) {}

    interface Shape {}

    static Object[] o(Object... objects) {
        return objects;
    }

    static long[] n(long... numbers) {
        return numbers;
    }

    static void show(String name, Object value) {
        System.out.println(name + " " + value);
    }

    static void bool(String name, String kinds, Object... objects) {
        show(name + " " + Arrays.toString(objects), (number(name, kinds, objects, n()) & 0xff) != 0);
    }

    static void integer(String name, String kinds, Object[] objects, long... numbers) {
        try {
            show(name, (int) number(name, kinds, objects, numbers));
        } catch (Throwable t) {
            show(name, t);
        }
    }

    static void reference(String name, String kinds, Object[] objects, long... numbers) {
        try {
            Object r = object(name, kinds, objects, numbers);
            show(name, r instanceof Object[] a ? Arrays.deepToString(a) : r instanceof int[] a ? Arrays.toString(a) : r);
        } catch (Throwable t) {
            show(name, t);
        }
    }

    static void action(String name, String kinds, Object[] objects, long... numbers) {
        try {
            number(name, kinds, objects, numbers);
            show(name, "done");
        } catch (Throwable t) {
            show(name, t);
        }
    }

    public static void main(String[] args) throws Throwable {
        machine();
        objects();
        arrays();
        classes();
        fields();
        threads();
        references();
        pools();
        printing();
        rawMonitor();
        show("JVM_NativePath", nativePath());
        machines();
    }

    static void machine() {
        show("processors", (int) number("JVM_ActiveProcessorCount", "", null, null) == Runtime.getRuntime().availableProcessors());
        long max = number("JVM_MaxMemory", "", null, null);
        show("max", max == Runtime.getRuntime().maxMemory());
        long total = number("JVM_TotalMemory", "", null, null);
        show("memory", number("JVM_FreeMemory", "", null, null) <= total && total <= max);
        number("JVM_GC", "", null, null);
        show("age", number("JVM_MaxObjectInspectionAge", "", null, null) < 3_600_000);
        bool("JVM_SupportsCX8", "");
        bool("JVM_IsDumpingClassList", "E");
        bool("JVM_HasReferencePendingList", "E");
        show("JVM_RaiseSignal", number("JVM_RaiseSignal", "I", null, n(9999)) & 0xff);
        bool("JVM_IsCDSDumpingEnabled", "E");
        show("seed", number("JVM_GetRandomSeedForDumping", "", null, null));
        show("clock", Math.abs(number("JVM_CurrentTimeMillis", "EL", o((Object) null), null) - System.currentTimeMillis()) < 60_000);
        show("nanos", System.nanoTime() - number("JVM_NanoTime", "EL", o((Object) null), null) < 60_000_000_000L);
        long second = System.currentTimeMillis() / 1000;
        show("adjustment", number("JVM_GetNanoTimeAdjustment", "ELI", o((Object) null), n(second)) < 60_000_000_000L);
        show("far", number("JVM_GetNanoTimeAdjustment", "ELI", o((Object) null), n(Long.MIN_VALUE / 2)));
        reference("JVM_GetTemporaryDirectory", "E", o());
        Properties p = (Properties) object("JVM_InitAgentProperties", "EL", o(new Properties()), n());
        show("agent", new TreeSet<>(p.stringPropertyNames()));
    }

    static void objects() throws Exception {
        Object x = new Object();
        show("hash", (int) number("JVM_IHashCode", "EL", o(x), null) == System.identityHashCode(x));
        show("null hash", number("JVM_IHashCode", "EL", o((Object) null), null) & 0xffffffffL);
        reference("JVM_Clone", "EL", o((Object) new int[] {1, 2, 3}));
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        Object copy = object("JVM_Clone", "EL", o(list), n());
        show("clone", copy.equals(list) && copy != list);
        reference("JVM_Clone", "EL", o(new Marked()));
        action("JVM_MonitorNotify", "EL", o(x));
        action("JVM_MonitorWait", "ELI", o(x), 1);
        synchronized (x) {
            action("JVM_MonitorNotify", "EL", o(x));
            action("JVM_MonitorNotifyAll", "EL", o(x));
            action("JVM_MonitorWait", "ELI", o(x), 1);
            action("JVM_MonitorWait", "ELI", o(x), -1);
        }
        reference("JVM_InternString", "EL", o(new String("interned")));
        show("same", object("JVM_InternString", "EL", o(new String("interned")), n()) == "interned");
        RuntimeException e = new RuntimeException("trace");
        action("JVM_FillInStackTrace", "EL", o(e));
        show("JVM_LatestUserDefinedLoader", object("JVM_LatestUserDefinedLoader", "E", o(), n()) == J20Exports.class.getClassLoader());
        for (String name : new String[] {"JVM_GetInheritedAccessControlContext", "JVM_GetStackAccessControlContext"}) {
            Object context = object(name, "EL", o(J20Exports.class), n());
            show(name, context == null ? null : context.getClass());
        }
    }

    static void arrays() {
        int[] ints = {1, 2, 3, 4, 5};
        number("JVM_ArrayCopy", "ELLILII", o(null, ints, ints), n(0, 1, 3));
        show("copied", Arrays.toString(ints));
        action("JVM_ArrayCopy", "ELLILII", o(null, ints, ints), 3, 0, 9);
        action("JVM_ArrayCopy", "ELLILII", o(null, ints, new long[3]), 0, 0, 1);
        action("JVM_ArrayCopy", "ELLILII", o(null, o("a", 1), new String[2]), 0, 0, 2);
        action("JVM_ArrayCopy", "ELLILII", o(null, null, ints), 0, 0, 1);
        integer("JVM_GetArrayLength", "EL", o((Object) ints));
        integer("JVM_GetArrayLength", "EL", o("no array"));
        integer("JVM_GetArrayLength", "EL", o((Object) null));
        reference("JVM_GetArrayElement", "ELI", o((Object) ints), 1);
        reference("JVM_GetArrayElement", "ELI", o((Object) new boolean[] {true}), 0);
        reference("JVM_GetArrayElement", "ELI", o((Object) o("x", "y")), 1);
        reference("JVM_GetArrayElement", "ELI", o((Object) ints), 5);
        reference("JVM_GetArrayElement", "ELI", o("no array"), 0);
        int jint = 10, jchar = 5, jlong = 11;
        show("as int", (int) number("JVM_GetPrimitiveArrayElement", "ELII", o((Object) new short[] {-7}), n(0, jint)));
        show("as long", number("JVM_GetPrimitiveArrayElement", "ELII", o((Object) ints), n(2, jlong)));
        action("JVM_GetPrimitiveArrayElement", "ELII", o((Object) ints), 2, jchar);
        action("JVM_GetPrimitiveArrayElement", "ELII", o((Object) o("x")), 0, jint);
        number("JVM_SetPrimitiveArrayElement", "ELIII", o((Object) ints), n(0, 77, jint));
        show("set", Arrays.toString(ints));
        action("JVM_SetPrimitiveArrayElement", "ELIII", o((Object) new char[1]), 0, 77, jint);
        Object[] texts = new String[2];
        action("JVM_SetArrayElement", "ELIL", o(texts, "t"), 1);
        action("JVM_SetArrayElement", "ELIL", o(texts, 5), 0);
        action("JVM_SetArrayElement", "ELIL", o(ints, 5), 0);
        action("JVM_SetArrayElement", "ELIL", o(ints, "x"), 0);
        show("after", Arrays.toString(texts) + Arrays.toString(ints));
        reference("JVM_NewArray", "ELI", o(String.class), 2);
        reference("JVM_NewArray", "ELI", o(int.class), 2);
        reference("JVM_NewArray", "ELI", o(int.class), -2);
        reference("JVM_NewArray", "ELI", o(void.class), 2);
        reference("JVM_NewArray", "ELI", o((Object) null), 2);
        reference("JVM_NewMultiArray", "ELL", o(String.class, new int[] {2, 3}));
        reference("JVM_NewMultiArray", "ELL", o(String.class, new int[] {}));
        reference("JVM_NewMultiArray", "ELL", o(String.class, new int[] {1, -3}));
    }

    static void classes() throws Throwable {
        Class<?>[] all = {int.class, int[].class, String[][].class, Shape.class, Point.class, Marked.class, Mark.class, Thread.State.class};
        for (Class<?> c : all) {
            for (String name : new String[] {"JVM_IsArrayClass", "JVM_IsInterface", "JVM_IsPrimitiveClass", "JVM_IsHiddenClass", "JVM_IsRecord"}) {
                show(name + " " + c.getName(), (number(name, "EL", o(c), n()) & 0xff) != 0);
            }
            integer("JVM_GetClassModifiers", "EL", o(c));
            integer("JVM_GetClassAccessFlags", "EL", o(c));
            reference("JVM_InitClassName", "EL", o(c));
            byte[] types = (byte[]) object("JVM_GetClassTypeAnnotations", "EL", o(c), n());
            show("type annotations", types == null ? null : types.length > 0);
        }
        reference("JVM_FindPrimitiveClass", "EU", o("double"));
        bool("JVM_AreNestMates", "ELL", Point.class, Marked.class);
        bool("JVM_AreNestMates", "ELL", Point.class, String.class);
        bool("JVM_DesiredAssertionStatus", "ELL", null, J20Exports.class);
        show("directives", object("JVM_AssertionStatusDirectives", "EL", o((Object) null), n()).getClass());
        reference("JVM_FindClassFromClass", "EUIL", o("J20Exports$Point", J20Exports.class), 0);
        reference("JVM_FindClassFromClass", "EUIL", o("no/Such", J20Exports.class), 0);
        ClassLoader loader = J20Exports.class.getClassLoader();
        reference("JVM_FindLoadedClass", "ELL", o(loader, "J20Exports"));
        reference("JVM_FindLoadedClass", "ELL", o(loader, "J20Unknown"));
        reference("JVM_GetClassSigners", "EL", o(Point.class));
        Object[] signers = {"one", "two"};
        action("JVM_SetClassSigners", "ELL", o(Point.class, signers));
        show("signers", Arrays.toString(Point.class.getSigners()));
        Object[] packages = (Object[]) object("JVM_GetSystemPackages", "E", o(), n());
        show("packages", Arrays.asList(packages).contains("java/lang"));
        ClassLoader fresh = new ClassLoader("fresh", loader) {};
        byte[] bytes = J20Exports.class.getResourceAsStream("J20Exports$Shape.class").readAllBytes();
        Class<?> shape = define("J20Exports$Shape", fresh, bytes);
        show("defined", shape.getName() + (shape.getClassLoader() == fresh) + (shape != Shape.class));
        for (String name : new String[] {"J20Exports$Shape", "Wrong"}) {
            try {
                define(name, fresh, bytes);
            } catch (LinkageError e) {
                show("JVM_DefineClass", e.toString().replaceAll("@[0-9a-f]+", "@hash"));
            }
        }
        reference("JVM_GetCallerClass", "E", o());
    }

    @Mark String annotated = "x";
    String plain;

    static void fields() throws Exception {
        for (String f : new String[] {"annotated", "plain"}) {
            byte[] b = (byte[]) object("JVM_GetFieldTypeAnnotations", "EL", o(J20Exports.class.getDeclaredField(f)), n());
            show("JVM_GetFieldTypeAnnotations " + f, b == null ? null : b.length > 0);
        }
    }

    static void threads() throws Exception {
        show("current", object("JVM_CurrentThread", "EL", o((Object) null), n()) == Thread.currentThread());
        Object lock = new Object();
        bool("JVM_HoldsLock", "ELL", null, "unlocked");
        synchronized (lock) {
            show("holds", (number("JVM_HoldsLock", "ELL", o(null, lock), n()) & 0xff) != 0);
        }
        action("JVM_HoldsLock", "ELL", o(null, null));
        action("JVM_Yield", "EL", o((Object) null));
        action("JVM_Sleep", "ELI", o((Object) null), 1);
        action("JVM_Sleep", "ELI", o((Object) null), -1);
        action("JVM_Interrupt", "EL", o(Thread.currentThread()));
        action("JVM_Sleep", "ELI", o((Object) null), 1);
        show("interrupted", Thread.interrupted());
        action("JVM_SetThreadPriority", "ELI", o(Thread.currentThread()), 6);
        action("JVM_SetNativeThreadName", "ELL", o(Thread.currentThread(), "renamed"));
    }

    static void references() {
        Object x = new Object();
        WeakReference<Object> weak = new WeakReference<>(x);
        PhantomReference<Object> phantom = new PhantomReference<>(x, new ReferenceQueue<>());
        show("refers", number("JVM_ReferenceRefersTo", "ELL", o(weak, x), n()) & 0xff);
        show("refers", number("JVM_ReferenceRefersTo", "ELL", o(weak, "y"), n()) & 0xff);
        show("phantom", number("JVM_PhantomReferenceRefersTo", "ELL", o(phantom, x), n()) & 0xff);
        action("JVM_ReferenceClear", "EL", o(weak));
        show("cleared", weak.get());
        Reference.reachabilityFence(x);
    }

    static final Set<String> seen = new TreeSet<>();

    /** What the constant names, if it is a class or a member of this test or of a few others. */
    static void members(Object pool, int i, int tag) throws Exception {
        String[] names =
                switch (tag) {
                    case 7 -> new String[] {"JVM_ConstantPoolGetClassAt", "JVM_ConstantPoolGetClassAtIfLoaded"};
                    case 9 -> new String[] {"JVM_ConstantPoolGetFieldAt", "JVM_ConstantPoolGetFieldAtIfLoaded"};
                    case 10, 11 -> new String[] {"JVM_ConstantPoolGetMethodAt", "JVM_ConstantPoolGetMethodAtIfLoaded"};
                    default -> new String[0];
                };
        for (String name : names) {
            Object r;
            try {
                r = object(name, "ELLI", o(pool, null), n(i));
            } catch (RuntimeException e) {
                seen.add(name + " " + e);
                continue;
            }
            if (r == null ? !name.endsWith("IfLoaded") : String.valueOf(r).matches(".*(J20Exports|ArrayList|System).*"))
                seen.add(name + " " + r);
        }
        if (tag >= 9 && tag <= 11) {
            Object[] info = (Object[]) object("JVM_ConstantPoolGetMemberRefInfoAt", "ELLI", o(pool, null), n(i));
            int owner = (int) number("JVM_ConstantPoolGetClassRefIndexAt", "ELLI", o(pool, null), n(i));
            int both = (int) number("JVM_ConstantPoolGetNameAndTypeRefIndexAt", "ELLI", o(pool, null), n(i));
            Object c = object("JVM_ConstantPoolGetClassAt", "ELLI", o(pool, null), n(owner));
            Object[] pair = (Object[]) object("JVM_ConstantPoolGetNameAndTypeRefInfoAt", "ELLI", o(pool, null), n(both));
            if (c == J20Exports.class) seen.add("member " + Arrays.toString(info) + Arrays.toString(pair));
        }
        if (tag == 8) {
            try {
                object("JVM_ConstantPoolGetMethodAt", "ELLI", o(pool, null), n(i));
            } catch (IllegalArgumentException e) {
                seen.add(e.getMessage().replaceAll("[0-9]+", "N"));
            }
        }
    }

    static void pools() throws Exception {
        Object pool = object("JVM_GetClassConstantPool", "EL", o(J20Exports.class), n());
        show("pool", pool.getClass());
        int size = (int) number("JVM_ConstantPoolGetSize", "ELL", o(pool, null), n());
        show("size", size > 100);
        Map<Integer, Integer> tags = new TreeMap<>();
        Set<String> texts = new TreeSet<>();
        for (int i = 1; i < size; i++) {
            int tag = (int) number("JVM_ConstantPoolGetTagAt", "ELLI", o(pool, null), n(i)) & 0xff;
            tags.merge(tag, 1, Integer::sum);
            members(pool, i, tag);
            if (tag == 8) texts.add((String) object("JVM_ConstantPoolGetStringAt", "ELLI", o(pool, null), n(i)));
        }
        show("tags", tags);
        show("members", seen.size());
        seen.forEach(System.out::println);
        show("strings", texts.size() + " " + texts.contains("JVM_ConstantPoolGetTagAt"));
        action("JVM_ConstantPoolGetTagAt", "ELLI", o(pool, null), 0);
        action("JVM_ConstantPoolGetTagAt", "ELLI", o(pool, null), size);
    }
}
