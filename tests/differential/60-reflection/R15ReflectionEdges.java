// covers: JVM_InvokeMethod JVM_GetClassDeclaredMethods JVM_GetRecordComponents
// Reflection and handles where the VM itself must say no, or must choose.
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

public class R15ReflectionEdges {
    static class Constants {
        static final boolean Z = true;
        static final byte B = -5;
        static final char C = '\uffff';
        static final short S = -300;
        static final int I = -70_000;
        static final long L = -5_000_000_000L;
        static final float F = -1.5f;
        static final double D = -0.0;
        static final String TEXT = "text";
        static Object later = new Object();

        static {
            later = null;
        }
    }

    static class A {
        String m() {
            return "A";
        }
    }

    static class B extends A {
        String m() {
            return "B";
        }
    }

    static class C extends B {
        String m() {
            return "C";
        }

        static MethodHandle up() throws Exception {
            return MethodHandles.lookup().findSpecial(A.class, "m", MethodType.methodType(String.class), C.class);
        }

        static MethodHandle upOne() throws Exception {
            return MethodHandles.lookup().findSpecial(B.class, "m", MethodType.methodType(String.class), C.class);
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Use {
        int value();
    }

    record Annotated(@Use(1) List<@Use(2) String> list, @Use(3) int[] @Use(4) [] grid) {}

    static class Finals {
        static final Object CONSTANT = new Object();
        final Object instance = new Object();
        static Object open;
    }

    interface Body {
        Object run() throws Throwable;
    }

    static void show(String what, Body b) {
        try {
            System.out.println(what + " " + b.run());
        } catch (Throwable t) {
            System.out.println(what + " " + t.toString().replaceAll("@[0-9a-f]+\\)", "@HASH)"));
        }
    }

    public static void main(String[] args) throws Throwable {
        for (Field f : Constants.class.getDeclaredFields()) {
            System.out.println(f.getName() + " " + f.get(null));
        }
        for (Class<?> c : new Class<?>[] {Constants.class, R15ReflectionEdges.class, Finals.class, Annotated.class, Use.class}) {
            System.out.println(c.getName() + " " + Arrays.stream(c.getDeclaredMethods()).map(Method::getName).filter(n -> n.startsWith("<")).count()
                    + " " + c.getDeclaredConstructors().length);
        }
        Method m = A.class.getDeclaredMethod("m");
        for (Object receiver : new Object[] {new A(), new C(), "text", new int[0], null}) {
            show("receiver", () -> m.invoke(receiver));
        }
        Method compare = Comparable.class.getMethod("compareTo", Object.class);
        show("interface", () -> compare.invoke("a", "a"));
        show("interface", () -> compare.invoke(new Object(), "a"));
        show("arguments", () -> compare.invoke("a"));
        show("arguments", () -> compare.invoke("a", "b", "c"));
        Method nano = Thread.class.getMethod("sleep", long.class, int.class);
        show("narrowing", () -> nano.invoke(null, 0L, 0L));
        show("widening", () -> nano.invoke(null, (byte) 0, 'a'));
        show("null", () -> nano.invoke(null, null, 0));
        show("special", () -> (String) C.up().invokeExact(new C()));
        show("special", () -> (String) C.upOne().invokeExact(new C()));
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        for (String name : new String[] {"CONSTANT", "instance", "open"}) {
            Field f = Finals.class.getDeclaredField(name);
            f.setAccessible(true);
            show("setter " + name, () -> lookup.unreflectSetter(f).type());
            show("handle " + name, () -> Modifier.isStatic(f.getModifiers()) ? lookup.findStaticSetter(Finals.class, name, Object.class).type()
                    : lookup.findSetter(Finals.class, name, Object.class).type());
            show("var " + name, () -> lookup.unreflectVarHandle(f).isAccessModeSupported(java.lang.invoke.VarHandle.AccessMode.SET));
        }
        var components = Annotated.class.getRecordComponents();
        AnnotatedParameterizedType list = (AnnotatedParameterizedType) components[0].getAnnotatedType();
        System.out.println(Arrays.toString(list.getAnnotations()) + Arrays.toString(list.getAnnotatedActualTypeArguments()[0].getAnnotations()));
        System.out.println(Arrays.toString(components[1].getAnnotatedType().getAnnotations()));
    }
}
