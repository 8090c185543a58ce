# Watched fields that a native method uses by JNI: of each type, in objects and classes, and those that no one watches.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static void field(const char *what, jclass c, jfieldID f, jmethodID m, jlocation at, jobject o) {
    char *n, *s, *in;
    (*ti)->GetFieldName(ti, c, f, &n, &s, NULL);
    (*ti)->GetMethodName(ti, m, &in, NULL, NULL);
    printf("%s %s %s in %s %d %s", what, n, s, in, (int) at, o ? "object" : "static");
}
static void JNICALL get(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f) {
    field("get", c, f, m, at, o);
    printf("\n");
    fflush(stdout);
}
static void JNICALL set(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f, char s, jvalue v) {
    field("set", c, f, m, at, o);
    switch (s) {
        case 'Z': printf(" %c %d\n", s, v.z); break;
        case 'B': printf(" %c %d\n", s, v.b); break;
        case 'C': printf(" %c %d\n", s, v.c); break;
        case 'S': printf(" %c %d\n", s, v.s); break;
        case 'I': printf(" %c %d\n", s, v.i); break;
        case 'J': printf(" %c %lld\n", s, (long long) v.j); break;
        case 'F': printf(" %c %g\n", s, v.f); break;
        case 'D': printf(" %c %g\n", s, v.d); break;
        default: printf(" %c %s\n", s, v.l ? "an object" : "null");
    }
    /* What the caller has of the object, it has by a handle. */
    (*ti)->ForceGarbageCollection(ti);
    fflush(stdout);
}
static void JNICALL prepared(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {
    char *s, *name;
    jint n;
    jfieldID *fs;
    (*ti)->GetClassSignature(ti, c, &s, NULL);
    if (strcmp(s, "LMain;")) return;
    (*ti)->GetClassFields(ti, c, &n, &fs);
    for (int i = 0; i < n; i++) {
        (*ti)->GetFieldName(ti, c, fs[i], &name, NULL, NULL);
        if (!strcmp(name, "unwatched")) continue;
        (*ti)->SetFieldAccessWatch(ti, c, fs[i]);
        (*ti)->SetFieldModificationWatch(ti, c, fs[i]);
    }
}
#define BOTH(T, N, S, V) \
    (*env)->Set##T##Field(env, o, (*env)->GetFieldID(env, c, N, S), V); \
    (*env)->SetStatic##T##Field(env, c, (*env)->GetStaticFieldID(env, c, "s" N, S), V); \
    (*env)->Get##T##Field(env, o, (*env)->GetFieldID(env, c, N, S)); \
    (*env)->GetStatic##T##Field(env, c, (*env)->GetStaticFieldID(env, c, "s" N, S))
JNIEXPORT void JNICALL Java_Main_use(JNIEnv *env, jclass c, jobject o) {
    jfieldID f = (*env)->GetFieldID(env, c, "unwatched", "I");
    (*env)->SetIntField(env, o, f, (*env)->GetIntField(env, o, f) + 1);
    BOTH(Boolean, "z", "Z", JNI_TRUE);
    BOTH(Byte, "b", "B", -3);
    BOTH(Char, "c", "C", 0xfff0);
    BOTH(Short, "s", "S", -30000);
    BOTH(Int, "i", "I", -70000);
    BOTH(Long, "j", "J", -1LL << 40);
    BOTH(Float, "f", "F", -1.5f);
    BOTH(Double, "d", "D", 1e100);
    jstring s = (*env)->NewStringUTF(env, "new");
    BOTH(Object, "o", "Ljava/lang/Object;", s);
    BOTH(Object, "a", "[I", NULL);
    jfieldID z = (*env)->GetFieldID(env, c, "i", "I");
    (*ti)->ClearFieldModificationWatch(ti, c, z);
    (*env)->SetIntField(env, o, z, 5);
    (*env)->GetIntField(env, o, z);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_field_access_events = c.can_generate_field_modification_events = 1;
    (*ti)->AddCapabilities(ti, &c);
    jvmtiEventCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.ClassPrepare = prepared;
    cb.FieldAccess = get;
    cb.FieldModification = set;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    jvmtiEvent es[] = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_FIELD_ACCESS, JVMTI_EVENT_FIELD_MODIFICATION};
    for (int i = 0; i < 3; i++) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, es[i], NULL);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    int unwatched;
    boolean z; byte b; char c; short s; int i; long j; float f; double d; Object o; int[] a = {1};
    static boolean sz; static byte sb; static char sc; static short ss; static int si; static long sj; static float sf; static double sd;
    static Object so; static int[] sa = {1};
    static native void use(Main m);
    public static void main(String[] args) {
        System.load(args[0]);
        Main m = new Main();
        use(m);
        System.out.println(m.unwatched + " " + m.z + m.b + (int) m.c + m.s + m.i + m.j + m.f + m.d + m.o + m.a);
        System.out.println(sz + " " + sb + (int) sc + ss + si + sj + sf + sd + so + sa);
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVA_HOME/bin/javac" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
