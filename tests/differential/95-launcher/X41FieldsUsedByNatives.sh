# A C agent's watched fields where JNI functions use them: what is told, and that a thread without Java frames is not.
cat > agent.c <<'C'
#include <jvmti.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static JavaVM *jvm;
static int told;
static jfieldID id(JNIEnv *env, jclass c, const char *n, const char *s, int fixed) {
    return fixed ? (*env)->GetStaticFieldID(env, c, n, s) : (*env)->GetFieldID(env, c, n, s);
}
static void field(const char *what, jclass c, jfieldID f, jmethodID m, jlocation at, jobject o) {
    char *n, *s, *k, *name;
    told++;
    (*ti)->GetFieldName(ti, c, f, &n, &s, NULL);
    (*ti)->GetMethodName(ti, m, &name, NULL, NULL);
    (*ti)->GetClassSignature(ti, c, &k, NULL);
    printf("%s %s %s of %s in %s %d %s", what, n, s, k, name, (int) at, o ? "object" : "static");
}
static void JNICALL get(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f) {
    field("get", c, f, m, at, o);
    printf(" %d\n", (*env)->ExceptionCheck(env));
}
static void JNICALL set(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f, char s, jvalue v) {
    field("set", c, f, m, at, o);
    if (s == 'L') printf(" %c %s", s, v.l ? "an object" : "null");
    else if (s == 'D') printf(" %c %g", s, v.d);
    else if (s == 'F') printf(" %c %g", s, v.f);
    else if (s == 'J') printf(" %c %lld", s, (long long) v.j);
    else if (s == 'Z') printf(" %c %d", s, v.z);
    else if (s == 'B') printf(" %c %d", s, v.b);
    else if (s == 'S') printf(" %c %d", s, v.s);
    else if (s == 'C') printf(" %c %d", s, v.c);
    else printf(" %c %d", s, v.i);
    printf(" %d\n", (*env)->ExceptionCheck(env));
    // What the function has of the object it has by a handle.
    (*ti)->ForceGarbageCollection(ti);
}
#define USE(T, S, V) \
    f = id(env, c, "a" S, S, 0); \
    (*env)->Set##T##Field(env, o, f, V); \
    printf("instance %d\n", (*env)->Get##T##Field(env, o, f) == (V)); \
    f = id(env, c, "s" S, S, 1); \
    (*env)->SetStatic##T##Field(env, c, f, V); \
    printf("static %d\n", (*env)->GetStatic##T##Field(env, c, f) == (V));
JNIEXPORT void JNICALL Java_Main_primitives(JNIEnv *env, jclass c, jobject o) {
    jfieldID f;
    USE(Boolean, "Z", JNI_TRUE)
    USE(Byte, "B", -3)
    USE(Char, "C", 0xfffe)
    USE(Short, "S", -300)
    USE(Int, "I", -70000)
    USE(Long, "J", -(1LL << 40))
    USE(Float, "F", 1.5f)
    USE(Double, "D", -2.25)
    fflush(stdout);
}
JNIEXPORT jobject JNICALL Java_Main_objects(JNIEnv *env, jclass c, jobject o, jobject v) {
    jfieldID f = id(env, c, "object", "Ljava/lang/Object;", 0), g = id(env, c, "array", "[I", 0), s = id(env, c, "fixed", "Ljava/lang/Object;", 1);
    (*env)->SetObjectField(env, o, f, v);
    (*env)->SetObjectField(env, o, g, NULL);
    (*env)->SetObjectField(env, o, g, (*env)->NewIntArray(env, 3));
    (*env)->SetStaticObjectField(env, c, s, v);
    jobject r = (*env)->GetObjectField(env, o, f);
    printf("same %d %d\n", (*env)->IsSameObject(env, r, v), (*env)->IsSameObject(env, (*env)->GetStaticObjectField(env, c, s), v));
    printf("length %d\n", (*env)->GetArrayLength(env, (*env)->GetObjectField(env, o, g)));
    f = id(env, c, "unwatched", "I", 0);
    (*env)->SetIntField(env, o, f, 8);
    printf("unwatched %d\n", (*env)->GetIntField(env, o, f));
    fflush(stdout);
    return r;
}
JNIEXPORT void JNICALL Java_Main_watch(JNIEnv *env, jclass c, jboolean on) {
    jfieldID *fs;
    jint n, wrong = 0;
    (*ti)->GetClassFields(ti, c, &n, &fs);
    for (int i = 0; i < n; i++) {
        char *name;
        (*ti)->GetFieldName(ti, c, fs[i], &name, NULL, NULL);
        if (!strcmp(name, "unwatched")) continue;
        wrong += on ? (*ti)->SetFieldAccessWatch(ti, c, fs[i]) : (*ti)->ClearFieldAccessWatch(ti, c, fs[i]);
        wrong += on ? (*ti)->SetFieldModificationWatch(ti, c, fs[i]) : (*ti)->ClearFieldModificationWatch(ti, c, fs[i]);
    }
    printf("watch %d\n", wrong);
    fflush(stdout);
}
static jclass klass;
static void *alone(void *x) {
    JNIEnv *env;
    (*jvm)->AttachCurrentThread(jvm, (void **) &env, NULL);
    int before = told;
    jfieldID f = id(env, klass, "sI", "I", 1);
    (*env)->SetStaticIntField(env, klass, f, 11);
    printf("without frames %d told %d\n", (*env)->GetStaticIntField(env, klass, f), told - before);
    (*jvm)->DetachCurrentThread(jvm);
    return NULL;
}
JNIEXPORT void JNICALL Java_Main_elsewhere(JNIEnv *env, jclass c) {
    pthread_t t;
    klass = (*env)->NewGlobalRef(env, c);
    pthread_create(&t, NULL, alone, NULL);
    pthread_join(t, NULL);
    fflush(stdout);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    jvm = vm;
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_field_access_events = c.can_generate_field_modification_events = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c));
    jvmtiEventCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.FieldAccess = get;
    cb.FieldModification = set;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_ACCESS, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FIELD_MODIFICATION, NULL);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    boolean aZ; byte aB; char aC; short aS; int aI; long aJ; float aF; double aD;
    static boolean sZ; static byte sB; static char sC; static short sS; static int sI; static long sJ; static float sF; static double sD;
    Object object;
    static Object fixed;
    int[] array;
    int unwatched;
    static class Sub extends Main { }
    static native void primitives(Main o);
    static native Object objects(Main o, Object v);
    static native void watch(boolean on);
    static native void elsewhere();
    public static void main(String[] a) {
        System.load(a[0]);
        watch(true);
        primitives(new Main());
        System.out.println(objects(new Sub(), "x"));
        elsewhere();
        watch(false);
        primitives(new Main());
        System.out.println(objects(new Main(), "y"));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -lpthread
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
