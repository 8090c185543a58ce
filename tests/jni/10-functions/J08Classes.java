// covers:
// JNI(GetVersion,DefineClass,FindClass,FromReflectedMethod,FromReflectedField,ToReflectedMethod,ToReflectedField,GetSuperclass,IsAssignableFrom,IsInstanceOf,GetModule,AllocObject)
public class J08Classes {
    static {
        System.loadLibrary("jnitest");
    }

    int field;

    J08Classes() {
        field = 3;
    }

    static int twice(int x) {
        return x * 2;
    }

    static native void classes(
            Object method, Object constructor, Object field, byte[] bytes, ClassLoader loader);

    public static void main(String[] args) throws Exception {
        byte[] b;
        try (var in = J08Classes.class.getResourceAsStream("JniDefined.class")) {
            b = in.readAllBytes();
        }
        classes(
                J08Classes.class.getDeclaredMethod("twice", int.class),
                J08Classes.class.getDeclaredConstructor(),
                J08Classes.class.getDeclaredField("field"),
                b,
                new ClassLoader(null) {});
    }
}

class JniDefined {
    int x = 5;
}
