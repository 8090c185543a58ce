# A C agent hears of native methods that are bound, and puts functions of its own in their place; it hears of what is exhausted.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
JNIEXPORT jint JNICALL Java_Main_found(JNIEnv *env, jclass c) { return 1; }
JNIEXPORT jint JNICALL Java_Main_replaced(JNIEnv *env, jclass c) { return 2; }
static jint mine(JNIEnv *env, jclass c) { return 3; }
static jint given(JNIEnv *env, jclass c) { return 4; }
JNIEXPORT jint JNICALL Java_Main_bind(JNIEnv *env, jclass c) {
    JNINativeMethod m[] = {{"given", "()I", given}, {"other", "()I", given}};
    return (*env)->RegisterNatives(env, c, m, 2);
}
JNIEXPORT void JNICALL Java_Main_unbind(JNIEnv *env, jclass c) { (*env)->UnregisterNatives(env, c); }
static void JNICALL bound(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, void *f, void **to) {
    jclass c;
    char *s, *n;
    // Some come before anything may be asked.
    if ((*ti)->GetMethodDeclaringClass(ti, m, &c) || (*ti)->GetClassSignature(ti, c, &s, NULL) || strcmp(s, "LMain;")) return;
    (*ti)->GetMethodName(ti, m, &n, NULL, NULL);
    printf("bound %s %d %d\n", n, t != NULL, f == *to);
    fflush(stdout);
    if (!strcmp(n, "replaced") || !strcmp(n, "other")) *to = mine;
}
static void JNICALL exhausted(jvmtiEnv *e, JNIEnv *env, jint flags, const void *reserved, const char *text) {
    printf("exhausted %d %d %s\n", flags, reserved == NULL, text);
    fflush(stdout);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    printf("without %d %d\n", (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL),
           (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_RESOURCE_EXHAUSTED, NULL));
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_native_method_bind_events = c.can_generate_resource_exhaustion_heap_events = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c));
    jvmtiEventCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.NativeMethodBind = bound;
    cb.ResourceExhausted = exhausted;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    printf("events %d %d\n", (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL),
           (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_RESOURCE_EXHAUSTED, NULL));
    fflush(stdout);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    static native int found();
    static native int replaced();
    static native int given();
    static native int other();
    static native int bind();
    static native void unbind();
    static native int missing();
    static Object kept;
    static int size = Integer.MAX_VALUE;
    public static void main(String[] a) {
        System.load(a[0]);
        System.out.println(found() + found() + replaced() + replaced());
        System.out.println(bind() + " " + given() + " " + other());
        System.out.println(bind() + " " + given() + " " + other());
        unbind();
        System.out.println(found());
        try {
            missing();
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 2; i++) {
            try {
                kept = new long[size >> 3 << i];
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
            try {
                kept = new long[size];
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" -Xmx64m $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning | sed "s/^\[[0-9.]*s\]/[time]/"
