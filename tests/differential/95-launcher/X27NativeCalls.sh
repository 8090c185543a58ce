# What native code may rely on: natives registered by way of a subclass, members found by reflection in classes that are not
# initialized or name types that do not exist, more than a million local references, class files refused many times.
cat > P.java <<'J'
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

public class P {
    native int nat();
    static class C extends P {}
    static class S {
        static int x;
        static { x = 42; }
    }
    static class U {
        static int a() { return 1; }
        static native void x(Gone t);
        static int field;
        static Gone other;
    }
    static class Gone {}
    static native int field(java.lang.reflect.Field f);
    static native Object[] members(Class<?> c);
    static native int references(Object o, int n);

    static class Loader extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass("P$C", b, 0, b.length); }
    }
    static long resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
        }
        return -1;
    }
    public static void main(String[] a) throws Exception {
        System.load(Path.of("libnat.so").toAbsolutePath().toString());
        System.out.println(new C().nat());
        System.out.println(field(Class.forName("P$S", false, P.class.getClassLoader()).getDeclaredField("x")));
        for (Object o : members(U.class)) System.out.println(o);
        System.out.println(references("kept", 1_200_000));
        long self = Thread.currentThread().getId();
        for (Object o : ManagementFactory.getThreadMXBean().getThreadInfo(new long[] {self, self, -1L >>> 1})) System.out.println(o != null);
        byte[] b = Files.readAllBytes(Path.of("P$C.class"));
        Loader l = new Loader();
        l.define(b);
        long before = 0;
        for (int i = 0; i < 60_000; i++) {
            if (i == 10_000) before = resident();
            try {
                l.define(b);
            } catch (LinkageError e) {
                if (i == 0) System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
            }
        }
        System.out.println("grew " + (resident() - before > 70));
    }
}
J
cat > nat.c <<'C'
#include <jni.h>
static jint seven(JNIEnv *e, jobject o) { (void) e; (void) o; return 7; }
jint JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void) reserved;
    JNIEnv *e;
    (*vm)->GetEnv(vm, (void **) &e, JNI_VERSION_10);
    JNINativeMethod m = {"nat", "()I", (void *) seven};
    (*e)->RegisterNatives(e, (*e)->FindClass(e, "P$C"), &m, 1);
    return JNI_VERSION_10;
}
JNIEXPORT jint JNICALL Java_P_field(JNIEnv *e, jclass c, jobject f) {
    jfieldID id = (*e)->FromReflectedField(e, f);
    return (*e)->GetStaticIntField(e, (*e)->FindClass(e, "P$S"), id) + (c == NULL);
}
JNIEXPORT jobjectArray JNICALL Java_P_members(JNIEnv *e, jclass p, jclass c) {
    jobjectArray a = (*e)->NewObjectArray(e, 2, (*e)->FindClass(e, "java/lang/Object"), p == NULL ? p : NULL);
    (*e)->SetObjectArrayElement(e, a, 0, (*e)->ToReflectedMethod(e, c, (*e)->GetStaticMethodID(e, c, "a", "()I"), JNI_TRUE));
    (*e)->SetObjectArrayElement(e, a, 1, (*e)->ToReflectedField(e, c, (*e)->GetStaticFieldID(e, c, "field", "I"), JNI_TRUE));
    return a;
}
JNIEXPORT jint JNICALL Java_P_references(JNIEnv *e, jclass c, jobject o, jint n) {
    jint made = 0;
    while (made < n && c != NULL && (*e)->NewLocalRef(e, o) != NULL) made++;
    return made;
}
C
"$JAVAC" P.java
rm 'P$Gone.class'
gcc -O1 -Wall -shared -fPIC -o libnat.so nat.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVA_HOME/bin/java" -Xms24m -Xmx24m -XX:+UseSerialGC -cp . P
echo "exit $?"
