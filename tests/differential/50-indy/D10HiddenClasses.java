// covers: JVM_LookupDefineClass(hidden,nestmate,class-data,plain)
import java.lang.invoke.*;

public class D10HiddenClasses {
    private static int secret() {
        return 99;
    }

    static String clean(Object s) {
        return String.valueOf(s).replaceAll("0x[0-9a-f]+", "ADDR");
    }

    public static void main(String[] args) throws Throwable {
        byte[] b =
                D10HiddenClasses.class
                        .getResourceAsStream("/bad/HiddenTemplate.bin")
                        .readAllBytes();
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandles.Lookup h1 = l.defineHiddenClass(b, true),
                h2 = l.defineHiddenClass(b, true, MethodHandles.Lookup.ClassOption.NESTMATE),
                h3 =
                        l.defineHiddenClassWithClassData(
                                b, "data", true, MethodHandles.Lookup.ClassOption.STRONG);
        for (MethodHandles.Lookup h : new MethodHandles.Lookup[] {h1, h2, h3}) {
            Class<?> c = h.lookupClass();
            System.out.println(
                    clean(c.getName())
                            + " "
                            + clean(c.descriptorString())
                            + " "
                            + c.getCanonicalName()
                            + " "
                            + c.isHidden()
                            + " "
                            + clean(c.arrayType().getName())
                            + " "
                            + clean(c.getNestHost().getName())
                            + " "
                            + clean(c.getSimpleName())
                            + c.getPackageName().isEmpty());
            MethodHandle next = h.findStatic(c, "next", MethodType.methodType(int.class));
            System.out.println((int) next.invokeExact() + (int) next.invokeExact() * 10);
            System.out.println(
                    (Class<?>)
                                    h.findStatic(c, "self", MethodType.methodType(Class.class))
                                            .invokeExact()
                            == c);
            Object o =
                    (Object)
                            h.findStatic(c, "make", MethodType.methodType(Object.class))
                                    .invokeExact();
            System.out.println(o.getClass() == c);
            try {
                System.out.println(
                        (int)
                                h.findStatic(c, "peek", MethodType.methodType(int.class))
                                        .invokeExact());
            } catch (IllegalAccessError e) {
                System.out.println(clean(e.getMessage()));
            }
            try {
                Class.forName(c.getName());
                System.out.println("found");
            } catch (ClassNotFoundException e) {
                System.out.println("not found by name");
            }
        }
        System.out.println((String) MethodHandles.classData(h3, "_", String.class));
        System.out.println(h1.lookupClass() != h2.lookupClass());
        try {
            l.defineHiddenClass(new byte[] {1, 2, 3}, true);
        } catch (ClassFormatError e) {
            System.out.println(e.getMessage());
        }
        Class<?> plain = l.defineClass(b);
        System.out.println(
                plain.getName()
                        + " "
                        + plain.isHidden()
                        + (plain.getClassLoader() == D10HiddenClasses.class.getClassLoader()));
        try {
            l.defineClass(b);
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@HASH"));
        }
    }
}
