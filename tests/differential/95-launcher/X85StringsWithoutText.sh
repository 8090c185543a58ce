# Strings that no constructor has given a text: native code and tools read them as empty.
cat > agent.c <<'C'
#include <jni.h>
#include <stdio.h>
static void region(JNIEnv *e, jstring s, int from, int n) {
    jchar u[8]; char b[32];
    (*e)->GetStringRegion(e, s, from, n, u);
    jthrowable x = (*e)->ExceptionOccurred(e); (*e)->ExceptionClear(e);
    (*e)->GetStringUTFRegion(e, s, from, n, b);
    jthrowable y = (*e)->ExceptionOccurred(e); (*e)->ExceptionClear(e);
    printf("region %d %d: %d %d\n", from, n, x != NULL, y != NULL);
}
JNIEXPORT jstring JNICALL Java_Main_empty(JNIEnv *e, jclass k) {
    jstring s = (*e)->AllocObject(e, (*e)->FindClass(e, "java/lang/String"));
    printf("lengths %d %d\n", (*e)->GetStringLength(e, s), (*e)->GetStringUTFLength(e, s));
    const char *t = (*e)->GetStringUTFChars(e, s, NULL); printf("text '%s'\n", t); (*e)->ReleaseStringUTFChars(e, s, t);
    const jchar *u = (*e)->GetStringChars(e, s, NULL); printf("units %d\n", u != NULL); (*e)->ReleaseStringChars(e, s, u);
    u = (*e)->GetStringCritical(e, s, NULL); printf("critical %d\n", u != NULL); (*e)->ReleaseStringCritical(e, s, u);
    region(e, s, 0, 0); region(e, s, 0, 1); region(e, s, -1, 0);
    fflush(stdout);
    return s;
}
C
cat > Main.java <<'J'
public class Main {
    static native String empty();
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " passes");
        } catch (Throwable t) {
            System.out.println(what + ": " + t.getClass().getName());
        }
    }
    public static void main(String[] args) {
        System.load(args[0]);
        String s = empty();
        attempt("intern", () -> System.out.println("'" + s.intern() + "' " + (s.intern() == "")));
        attempt("property", () -> System.getProperty(s));
        attempt("load", () -> { try { Class.forName(s); } catch (ClassNotFoundException e) { throw new RuntimeException(e); } });
        attempt("name", () -> Thread.currentThread().setName(s));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Main $PWD/libagent.so
