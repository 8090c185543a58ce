import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** Handles that are null, and handles whose receivers are: where the exception says it was thrown, and what it tells. */
public class D20NullHandles {
    static MethodHandle mh;
    static VarHandle vh;
    int f;

    interface Call {
        void run() throws Throwable;
    }

    boolean isNull() {
        return this == null;
    }

    static void expect(String what, Call c) {
        for (int i = 0; i < 3; i++) {
            try {
                c.run();
                System.out.println(what + ": nothing");
            } catch (Throwable e) {
                System.out.println(what + ": " + e + " " + Arrays.toString(e.getStackTrace()).replaceAll("D20NullHandles\\.expect.*", ""));
            }
        }
    }

    public static void main(String[] args) throws Throwable {
        expect("exact", () -> mh.invokeExact());
        expect("generic", () -> mh.invoke());
        expect("arguments", () -> {
            int x = (int) mh.invokeExact(1, 2L, "3");
        });
        expect("basic form of another", () -> {
            Object x = mh.invoke((Object) null);
        });
        expect("set", () -> vh.set(1));
        expect("get", () -> {
            Object x = vh.get();
        });
        expect("cas", () -> {
            boolean x = vh.compareAndSet(new Object(), 1, 2L);
        });
        expect("type", () -> mh.type());

        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle special = l.findSpecial(D20NullHandles.class, "isNull", MethodType.methodType(boolean.class), D20NullHandles.class);
        MethodHandle virtual = l.findVirtual(Object.class, "hashCode", MethodType.methodType(int.class));
        MethodHandle inter = l.findVirtual(Runnable.class, "run", MethodType.methodType(void.class));
        MethodHandle getter = l.findGetter(D20NullHandles.class, "f", int.class);
        MethodHandle element = MethodHandles.arrayElementGetter(int[].class);
        VarHandle field = l.findVarHandle(D20NullHandles.class, "f", int.class);
        expect("special", () -> {
            boolean x = (boolean) special.bindTo(null).invokeExact();
        });
        expect("virtual", () -> {
            int x = (int) virtual.invokeExact((Object) null);
        });
        expect("interface", () -> inter.invokeExact((Runnable) null));
        expect("getter", () -> {
            int x = (int) getter.invokeExact((D20NullHandles) null);
        });
        expect("element", () -> {
            int x = (int) element.invokeExact((int[]) null, 1);
        });
        expect("field", () -> {
            int x = (int) field.get((D20NullHandles) null);
        });
        Object none = null;
        expect("reference", () -> {
            Runnable r = none::hashCode;
        });
    }
}
