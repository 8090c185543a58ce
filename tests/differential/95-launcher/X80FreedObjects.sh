# Tagged objects that die: agents hear of them on a thread that may call Java, that no list shows, and before they want to
# hear no more; a debugger outlives that classes are unloaded.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static JavaVM *the_vm;
static volatile int freed, code = -1, called = -1;
static volatile jlong sum;
static jclass main_class;
static void JNICALL on_free(jvmtiEnv *t, jlong tag) {
    JNIEnv *e = NULL;
    code = (*the_vm)->GetEnv(the_vm, (void **) &e, JNI_VERSION_1_2);
    if (code == 0) called = (*e)->CallStaticIntMethod(e, main_class, (*e)->GetStaticMethodID(e, main_class, "hear", "(J)I"), tag);
    sum += tag; freed++;
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    the_vm = vm; (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c);
    c.can_tag_objects = c.can_generate_object_free_events = 1;
    jvmtiEventCallbacks b; memset(&b, 0, sizeof b); b.ObjectFree = on_free;
    printf("capabilities %d", (*ti)->AddCapabilities(ti, &c)); printf(", callbacks %d\n", (*ti)->SetEventCallbacks(ti, &b, sizeof b));
    fflush(stdout);
    return 0;
}
JNIEXPORT void JNICALL Java_Main_enable(JNIEnv *e, jclass k, jboolean on) {
    main_class = (*e)->NewGlobalRef(e, k);
    (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_OBJECT_FREE, NULL);
}
JNIEXPORT void JNICALL Java_Main_tag(JNIEnv *e, jclass k, jobject o, jlong tag) { (*ti)->SetTag(ti, o, tag); }
JNIEXPORT jint JNICALL Java_Main_freed(JNIEnv *e, jclass k) { return freed; }
JNIEXPORT void JNICALL Java_Main_told(JNIEnv *e, jclass k) {
    jint n; jthread *all; int service = 0;
    (*ti)->GetAllThreads(ti, &n, &all);
    for (int i = 0; i < n; i++) { jvmtiThreadInfo f; (*ti)->GetThreadInfo(ti, all[i], &f); service |= !strcmp(f.name, "Service Thread"); }
    printf("environment %d, Java says %d, tags %lld, %s\n", code, called, (long long) sum, service ? "its thread is seen" : "its thread is not seen");
    fflush(stdout);
}
C
cat > Main.java <<'J'
public class Main {
    static native void enable(boolean on);
    static native void tag(Object o, long tag);
    static native int freed();
    static native void told();

    static int hear(long tag) {
        return Integer.parseInt("7") * 6;
    }
    static void make(int n) {
        for (int i = 1; i <= n; i++) tag(new Object(), i);
    }
    static void collect(int wanted) throws Exception {
        for (int i = 0; i < 200 && freed() < wanted; i++) {
            make(0);
            System.gc();
            Thread.sleep(10);
        }
    }
    private static class Hidden { }
    static final class Loader extends ClassLoader {
        Class<?> again() throws Exception {
            byte[] b = Main.class.getResourceAsStream("Main$Hidden.class").readAllBytes();
            return defineClass("Main$Hidden", b, 0, b.length);
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            for (int i = 0; i < 300; i++) Class.forName("Main$Hidden", true, new Loader().again().getClassLoader());
            System.gc();
            Thread.sleep(100);
            System.gc();
            for (int i = 0; i < 300; i++) new Loader().again();
            System.gc();
            Thread.sleep(200);
            System.out.println("still here");
            return;
        }
        enable(true);
        make(3);
        collect(3);
        told();
        make(100);
        System.gc();
        enable(false);
        for (int i = 0; i < 200 && freed() < 90; i++) Thread.sleep(10);
        System.out.println(freed() < 90 ? "not heard of " + (103 - freed()) : "heard of nearly all");
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0 -cp . Main unload | grep -v Listening
