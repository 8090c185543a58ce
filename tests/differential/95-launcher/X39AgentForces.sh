# A C agent's watched fields, early returns, popped frames and followed references, with the errors that they give.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static jrawMonitorID lock;
static jthread stopped;
static int popped, accesses;
static const char *name_of(jmethodID m) {
    char *n;
    (*ti)->GetMethodName(ti, m, &n, NULL, NULL);
    return n;
}
static void JNICALL prepared(jvmtiEnv *e, JNIEnv *env, jthread t, jclass c) {
    char *s;
    (*ti)->GetClassSignature(ti, c, &s, NULL);
    if (strcmp(s, "LMain;")) return;
    jint n;
    jmethodID *ms;
    (*ti)->GetClassMethods(ti, c, &n, &ms);
    for (int i = 0; i < n; i++) {
        const char *m = name_of(ms[i]);
        if (!strncmp(m, "stop", 4)) printf("breakpoint %s %d\n", m, (*ti)->SetBreakpoint(ti, ms[i], 0));
    }
    jfieldID *fs;
    (*ti)->GetClassFields(ti, c, &n, &fs);
    for (int i = 0; i < n; i++) {
        char *f;
        (*ti)->GetFieldName(ti, c, fs[i], &f, NULL, NULL);
        printf("watch %s %d %d %d\n", f, (*ti)->SetFieldAccessWatch(ti, c, fs[i]), (*ti)->SetFieldModificationWatch(ti, c, fs[i]),
               (*ti)->SetFieldAccessWatch(ti, c, fs[i]));
    }
    fflush(stdout);
}
static void JNICALL reached(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    const char *n = name_of(m);
    printf("at %s", n);
    if (!strcmp(n, "stopInt")) printf(" %d %d", (*ti)->ForceEarlyReturnLong(ti, NULL, 1), (*ti)->ForceEarlyReturnInt(ti, t, 42));
    if (!strcmp(n, "stopLong")) printf(" %d", (*ti)->ForceEarlyReturnLong(ti, NULL, 1LL << 40));
    if (!strcmp(n, "stopVoid")) printf(" %d %d", (*ti)->ForceEarlyReturnInt(ti, NULL, 1), (*ti)->ForceEarlyReturnVoid(ti, NULL));
    if (!strcmp(n, "stopObject")) {
        jclass c = (*env)->FindClass(env, "Main");
        printf(" %d %d", (*ti)->ForceEarlyReturnObject(ti, NULL, c), (*ti)->ForceEarlyReturnObject(ti, NULL, (*env)->NewStringUTF(env, "forced")));
    }
    if (!strcmp(n, "stopArray")) {
        jintArray a = (*env)->NewIntArray(env, 3);
        printf(" %d %d %d", (*ti)->ForceEarlyReturnObject(ti, NULL, (*env)->NewStringUTF(env, "no array")),
               (*ti)->ForceEarlyReturnObject(ti, NULL, (*env)->NewLongArray(env, 1)), (*ti)->ForceEarlyReturnObject(ti, NULL, a));
    }
    if (!strcmp(n, "stopPop")) {
        if (popped == 1) {
            popped = 2;
            printf(" own %d", (*ti)->PopFrame(ti, NULL));
            printf(" %d", (*ti)->PopFrame(ti, t));
            printf(" %d", (*ti)->PopFrame(ti, t));
        }
        if (!popped) {
            (*ti)->RawMonitorEnter(ti, lock);
            stopped = (*env)->NewGlobalRef(env, t);
            (*ti)->RawMonitorNotifyAll(ti, lock);
            while (!popped) (*ti)->RawMonitorWait(ti, lock, 0);
            (*ti)->RawMonitorExit(ti, lock);
        }
    }
    printf("\n");
    fflush(stdout);
}
static void JNICALL pops(jvmtiEnv *e, JNIEnv *env, void *arg) {
    (*ti)->RawMonitorEnter(ti, lock);
    while (!stopped) (*ti)->RawMonitorWait(ti, lock, 0);
    printf(" running %d", (*ti)->PopFrame(ti, stopped));
    printf(" suspend %d", (*ti)->SuspendThread(ti, stopped));
    printf(" pop %d", (*ti)->PopFrame(ti, stopped));
    printf(" resume %d", (*ti)->ResumeThread(ti, stopped));
    popped = 1;
    (*ti)->RawMonitorNotifyAll(ti, lock);
    (*ti)->RawMonitorExit(ti, lock);
}
static void field(const char *what, jclass c, jfieldID f, jmethodID m, jlocation at, jobject o) {
    char *n, *s;
    (*ti)->GetFieldName(ti, c, f, &n, &s, NULL);
    printf("%s %s %s in %s %d %s", what, n, s, name_of(m), (int) at, o ? "object" : "static");
}
static void JNICALL get(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f) {
    field("get", c, f, m, at, o);
    printf("\n");
    fflush(stdout);
    accesses++;
}
static void JNICALL set(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass c, jobject o, jfieldID f, char s, jvalue v) {
    field("set", c, f, m, at, o);
    if (s == 'L') printf(" %c %s\n", s, v.l ? "an object" : "null");
    else if (s == 'D') printf(" %c %g\n", s, v.d);
    else if (s == 'J') printf(" %c %lld\n", s, (long long) v.j);
    else if (s == 'Z') printf(" %c %d\n", s, v.z);
    else printf(" %c %d\n", s, v.i);
    fflush(stdout);
}
static int kinds[32], refs[32][64];
static jint JNICALL reference(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong ct, jlong rct, jlong size, jlong *tag, jlong *rtag,
                              jint length, void *data) {
    if (rtag && *rtag == 1 && k != JVMTI_HEAP_REFERENCE_CLASS) refs[k][i->field.index & 63] = length;
    kinds[k]++;
    if (*tag == 0 && rtag && *rtag == 1) *tag = 10 + k;
    if (k == JVMTI_HEAP_REFERENCE_CLASS) return 0;
    return JVMTI_VISIT_OBJECTS;
}
JNIEXPORT jint JNICALL Java_Main_follow(JNIEnv *env, jclass c, jobject o, jobjectArray out) {
    jvmtiHeapCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.heap_reference_callback = reference;
    (*ti)->SetTag(ti, o, 1);
    printf("follow %d\n", (*ti)->FollowReferences(ti, 0, NULL, o, &cb, NULL));
    for (int k = 0; k < 32; k++) if (kinds[k]) printf("kind %d\n", k);
    for (int k = 0; k < 32; k++) for (int i = 0; i < 64; i++) if (refs[k][i]) printf("reference %d index %d length %d\n", k, i, refs[k][i]);
    jlong tags[] = {12, 13};
    jint n;
    jobject *found;
    jlong *ts;
    (*ti)->GetObjectsWithTags(ti, 2, tags, &n, &found, &ts);
    printf("tagged %d\n", n);
    printf("all %d\n", (*ti)->FollowReferences(ti, 0, c, NULL, &cb, NULL));
    printf("accesses %d\n", accesses > 3);
    fflush(stdout);
    return kinds[JVMTI_HEAP_REFERENCE_THREAD] > 0;
}
static void JNICALL started(jvmtiEnv *e, JNIEnv *env, jthread t) {
    jclass c = (*env)->FindClass(env, "java/lang/Thread");
    jobject o = (*env)->NewObject(env, c, (*env)->GetMethodID(env, c, "<init>", "(Ljava/lang/String;)V"), (*env)->NewStringUTF(env, "agent"));
    printf("thread %d\n", (*ti)->RunAgentThread(ti, o, pops, NULL, 5));
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    printf("without %d %d %d\n", (*ti)->PopFrame(ti, NULL), (*ti)->SetFieldAccessWatch(ti, NULL, NULL), (*ti)->ForceEarlyReturnVoid(ti, NULL));
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_pop_frame = c.can_force_early_return = c.can_generate_breakpoint_events = c.can_tag_objects = c.can_suspend = 1;
    c.can_generate_field_access_events = c.can_generate_field_modification_events = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c));
    jvmtiEventCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.VMInit = started;
    cb.ClassPrepare = prepared;
    cb.Breakpoint = reached;
    cb.FieldAccess = get;
    cb.FieldModification = set;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    jvmtiEvent es[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_FIELD_ACCESS, JVMTI_EVENT_FIELD_MODIFICATION};
    for (int i = 0; i < 5; i++) (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, es[i], NULL);
    (*ti)->CreateRawMonitor(ti, "pops", &lock);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    int number;
    Object other;
    static long wide = 5;
    double[] real = new double[3];
    boolean flag;
    static Object[] held = {"a", null, new int[2]};
    static int stopInt(int x) { return x; }
    static long stopLong() { return 1; }
    static void stopVoid() { System.out.println("not printed"); }
    static synchronized Object stopObject(Object o) { synchronized (o) { return o; } }
    static int[] stopArray() { return null; }
    static int stopPop(int x) { x++; return x; }
    static native int follow(Object o, Object[] out);
    public static void main(String[] a) {
        System.load(a[0]);
        System.out.println(stopInt(3));
        System.out.println(stopLong());
        stopVoid();
        System.out.println(stopObject("x") + " " + Thread.holdsLock(Main.class));
        System.out.println(stopArray().length);
        System.out.println(stopPop(1));
        Main m = new Main();
        m.number += 7;
        m.other = new Main();
        m.flag = !m.flag;
        wide--;
        // Hot, watched all the same.
        int sum = 0;
        for (int i = 0; i < 3; i++) sum += m.number;
        System.out.println(sum);
        System.out.println(follow(m, held));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
