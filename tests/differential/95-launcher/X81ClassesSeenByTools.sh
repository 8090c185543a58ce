# Classes as tools see them: their modifiers, those of a loader with the arrays of these, and which of the errors that the VM
# throws are linked before any is thrown.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jvmtiEnv *ti;
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    return (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
}
JNIEXPORT void JNICALL Java_Main_modifiers(JNIEnv *e, jclass k, jclass c) {
    jint m; char *s;
    (*ti)->GetClassSignature(ti, c, &s, NULL);
    printf("%s: %d", s, (*ti)->GetClassModifiers(ti, c, &m)); printf(" %x\n", m); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_linked(JNIEnv *e, jclass k) {
    jint n, s; jclass *c; char *name;
    const char *all[] = { "OutOfMemoryError", "StackOverflowError", "NullPointerException", "ClassCastException", "ArrayStoreException",
        "ArithmeticException", "IllegalMonitorStateException", "IllegalArgumentException" };
    (*ti)->GetLoadedClasses(ti, &n, &c);
    for (int a = 0; a < sizeof all / sizeof *all; a++)
        for (int i = 0; i < n; i++) {
            (*ti)->GetClassSignature(ti, c[i], &name, NULL);
            (*ti)->GetClassStatus(ti, c[i], &s);
            if (!strncmp(name, "Ljava/lang/", 11) && !strncmp(name + 11, all[a], strlen(all[a])) && name[11 + strlen(all[a])] == ';')
                printf("%s: %x\n", name, s);
        }
    fflush(stdout);
}
static int by_name(const void *a, const void *b) { return strcmp(*(char **) a, *(char **) b); }
JNIEXPORT void JNICALL Java_Main_loaded(JNIEnv *e, jclass k, jobject l, jstring part) {
    jint n, m = 0; jclass *c; char *names[100];
    const char *p = (*e)->GetStringUTFChars(e, part, NULL);
    (*ti)->GetClassLoaderClasses(ti, l, &n, &c);
    for (int i = 0; i < n && m < 100; i++) {
        (*ti)->GetClassSignature(ti, c[i], &names[m], NULL);
        if (strstr(names[m], p)) m++;
    }
    qsort(names, m, sizeof *names, by_name);
    for (int i = 0; i < m; i++) printf("%s ", names[i]);
    puts(""); fflush(stdout);
}
C
cat > Main.java <<'J'
public class Main {
    static native void modifiers(Class<?> c);
    static native void linked();
    static native void loaded(ClassLoader l, String part);

    enum Colour { RED }
    private static class Hidden { }
    interface Inner { }
    static final class Loader extends ClassLoader {
        Class<?> again() throws Exception {
            byte[] b = Main.class.getResourceAsStream("Main$Hidden.class").readAllBytes();
            return defineClass("Main$Hidden", b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        linked();
        for (Class<?> c : new Class<?>[] { Main.class, Colour.class, Hidden.class, Inner.class, Loader.class, Runnable.class, Hidden[].class, int.class, String.class })
            modifiers(c);
        Object[] made = { new Thread.State[1][1], new byte[1][1][1][1][1], new Colour[1], new Loader[1][1][1] };
        loaded(null, "java/lang/Thread$State;");
        loaded(null, "[[[[B");
        loaded(Main.class.getClassLoader(), "Main$");
        loaded(Main.class.getClassLoader(), "java/lang/Thread$State;");
        loaded(Main.class.getClassLoader(), "[[[[B");
        Loader own = new Loader();
        Object array = java.lang.reflect.Array.newInstance(own.again(), 2, 2);
        loaded(own, "Main$");
        loaded(own, "[[[[B");
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
