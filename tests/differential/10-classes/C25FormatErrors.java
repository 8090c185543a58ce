// covers:
// covers:
// covers: JVM_DefineClassWithSource(ClassFormatError,UnsupportedClassVersionError,NoClassDefFoundError,SecurityException)
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

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
        List<String> all = new ArrayList<>(List.of(names));
        for (int type = 0; type < 11; type++) {
            for (int value = 0; value < 5; value++) {
                all.add("FmtConstant" + type + "By" + value);
            }
        }
        for (String many : new String[] {"FmtManyFields", "FmtManyMethods", "FmtManyInterfaces"}) {
            for (int again : new int[] {0, 7, 19, 20}) {
                all.add(many + again);
            }
        }
        for (int n = 0; n < 30; n++) {
            all.add("FmtRepeated" + n);
        }
        for (String n : all) {
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
