// covers: JVM_GetClassModifiers JVM_GetClassInterfaces JVM_IsInterface JVM_GetDeclaringClass
// covers: JVM_GetSimpleBinaryName JVM_GetEnclosingMethodInfo JVM_FindClassFromCaller
public class C05ClassObject {
    interface I {}

    abstract static class A implements I, Runnable {}

    private static final class F {}

    @interface Ann {}

    enum En {
        X {},
        Y
    }

    record R(int a) {}

    static void show(Class<?> c) {
        System.out.println(c.getName());
        System.out.println(c.getSimpleName());
        System.out.println(c.getTypeName());
        System.out.println(c.getCanonicalName());
        System.out.println(c.descriptorString());
        System.out.println(c.getModifiers());
        System.out.println(
                c.isInterface()
                        + " "
                        + c.isArray()
                        + " "
                        + c.isPrimitive()
                        + " "
                        + c.isEnum()
                        + " "
                        + c.isRecord()
                        + " "
                        + c.isAnnotation()
                        + " "
                        + c.isAnonymousClass()
                        + " "
                        + c.isLocalClass()
                        + " "
                        + c.isMemberClass()
                        + " "
                        + c.isHidden()
                        + " "
                        + c.isSealed()
                        + " "
                        + c.isSynthetic());
        System.out.println(c.getSuperclass());
        for (Class<?> i : c.getInterfaces()) System.out.println(i);
        System.out.println(c.getComponentType());
        System.out.println(c.getDeclaringClass());
        System.out.println(c.getEnclosingClass());
        System.out.println(c.getEnclosingMethod());
        System.out.println(c.getPackageName());
        System.out.println(c.getModule().getName());
        System.out.println(c.desiredAssertionStatus());
        System.out.println(c.getNestHost());
    }

    public static void main(String[] args) throws Exception {
        class Local {}
        Object anon = new Object() {};
        Class<?>[] all = {
            int.class,
            void.class,
            Object.class,
            String.class,
            int[].class,
            String[][].class,
            I.class,
            A.class,
            F.class,
            Ann.class,
            En.class,
            En.X.getClass(),
            R.class,
            Local.class,
            anon.getClass(),
            C05ClassObject.class,
            Runnable.class,
            Comparable.class,
            java.util.Map.Entry.class,
            Local[].class
        };
        for (Class<?> c : all) show(c);
        System.out.println(I.class.isAssignableFrom(A.class));
        System.out.println(A.class.isAssignableFrom(I.class));
        System.out.println(Object.class.isAssignableFrom(int.class));
        System.out.println(int.class.isAssignableFrom(int.class));
        System.out.println(Object[].class.isAssignableFrom(String[].class));
        System.out.println(Object[].class.isAssignableFrom(int[].class));
        System.out.println(Number.class.isInstance(5));
        System.out.println(Class.forName("[I") == int[].class);
        System.out.println(Class.forName("[Ljava.lang.String;") == String[].class);
        System.out.println(Class.forName("C05ClassObject$I") == I.class);
        String[] bad = {
            "NoSuch",
            "int",
            "[",
            "[X",
            "java/lang/String",
            "",
            "[Ljava.lang.String",
            "java.lang.string"
        };
        for (String s : bad) {
            try {
                System.out.println(Class.forName(s));
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            Class.forName(null);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        System.out.println(new C05ClassObject().getClass() == C05ClassObject.class);
        System.out.println(Integer.TYPE == int.class);
        System.out.println(String.class.cast("x"));
        try {
            Integer.class.cast("x");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }
}
