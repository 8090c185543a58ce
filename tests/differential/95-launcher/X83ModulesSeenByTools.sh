# Functions for modules, with modules, classes and packages, and with what is none of these.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) { (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_9); return 0; }
JNIEXPORT void JNICALL Java_Main_ask(JNIEnv *e, jclass k, jobject a, jstring s, jobject b, jobject c) {
    char text[100]; const char *p = s ? text : NULL; jobject m = NULL; jboolean yes = 7;
    if (s) { const char *t = (*e)->GetStringUTFChars(e, s, 0); strcpy(text, t); (*e)->ReleaseStringUTFChars(e, s, t); }
    printf("reads %d, ", (*ti)->AddModuleReads(ti, a, b));
    printf("exports %d, ", (*ti)->AddModuleExports(ti, a, p, b));
    printf("opens %d, ", (*ti)->AddModuleOpens(ti, a, p, b));
    printf("uses %d, ", (*ti)->AddModuleUses(ti, a, b));
    printf("provides %d, ", (*ti)->AddModuleProvides(ti, a, b, c));
    printf("is modifiable %d ", (*ti)->IsModifiableModule(ti, a, &yes)); printf("%d, ", yes);
    printf("named %d ", (*ti)->GetNamedModule(ti, a, p, &m)); printf("%d\n", m != NULL); fflush(stdout);
}
C
cat > Main.java <<'J'
public class Main {
    static native void ask(Object a, String name, Object b, Object c);

    public static void main(String[] args) {
        Object[] all = { null, Main.class.getModule(), Object.class.getModule(), java.util.logging.Logger.class.getModule(), Main.class,
            Main.class.getClassLoader(), Runnable.class, Thread.class, int.class, int[].class, "text" };
        String[] names = { null, "", "java/lang", "jdk/internal/misc", "java.util", "sun/logging/internal", "no/such", "a b" };
        for (Object a : all)
            for (int i = 0; i < names.length; i++) {
                System.out.println((a + " " + names[i]).replaceAll("@.*", ""));
                for (Object b : all) ask(a, names[i], b, all[(i * 3 + 7) % all.length]);
            }
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
