// covers:
// covers:
// covers: JVM_DefineClassWithSource(ClassFormatError,UnsupportedClassVersionError,NoClassDefFoundError,SecurityException)
import java.io.InputStream;

public class C25FormatErrors {
    static class Loader extends ClassLoader {
        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    static byte[] read(String n) throws Exception {
        try (InputStream in = C25FormatErrors.class.getResourceAsStream("/bad/" + n + ".bin")) {
            return in.readAllBytes();
        }
    }

    public static void main(String[] args) throws Exception {
        String[] names = {
            "FmtGood",
            "FmtEmpty",
            "FmtShort",
            "FmtTruncated",
            "FmtTrailing",
            "FmtMagic",
            "FmtFuture",
            "FmtPreview",
            "FmtTag",
            "FmtWrongName",
            "FmtFinalAbstract",
            "FmtInterfaceNotAbstract",
            "FmtAnnotationNotInterface",
            "FmtFieldTwice",
            "FmtMethodTwice",
            "FmtFieldName",
            "FmtMethodName",
            "FmtFieldType",
            "FmtFieldVoid",
            "FmtMethodType",
            "FmtMethodNoCode",
            "FmtTooManyArguments",
            "FmtFieldFlags",
            "FmtFieldFinalVolatile",
            "FmtMethodFlags",
            "FmtClinitArguments",
            "FmtAbstractCode",
            "FmtDims",
            "FmtConstantType",
            "FmtEmptyCode",
            "FmtInterfaceField",
            "FmtInterfaceTwice",
            "FmtInterfaceSuper",
            "HierExtendsArray"
        };
        for (String n : names) {
            Loader l = new Loader();
            try {
                Class<?> c = l.define(n, read(n));
                System.out.println(n + " defined");
                System.out.println(Class.forName(c.getName(), true, l) == c);
            } catch (Throwable t) {
                System.out.println(n + ": " + t);
            }
        }
        try {
            new Loader().define("java.lang.FmtProhibited", read("java/lang/FmtProhibited"));
        } catch (SecurityException e) {
            System.out.println(e.getMessage());
        }
        Loader l = new Loader();
        l.define("FmtGood", read("FmtGood"));
        try {
            l.define("FmtGood", read("FmtGood"));
        } catch (LinkageError e) {
            System.out.println(
                    e.getClass().getName()
                            + ": "
                            + e.getMessage().replaceAll("@[0-9a-f]+", "@HASH"));
        }
        System.out.println(new Loader().define(null, read("FmtGood")).getName());
    }
}
