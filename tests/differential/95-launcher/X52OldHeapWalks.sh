# A C agent walks the heap by the functions of the first version of JVM TI, and puts a function of its own in the JNI table.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static int calls, limit;
static char lines[4000][60];
static int count;
static int by_text(const void *a, const void *b) { return strcmp(a, b); }
static void flush(const char *what) {
    qsort(lines, count, sizeof lines[0], by_text);
    printf("%s\n", what);
    for (int i = 0; i < count; i++) printf("%s", lines[i]);
    count = 0;
    fflush(stdout);
}
#define LINE(...) do { if (count < 4000) snprintf(lines[count++], 60, __VA_ARGS__); } while (0)
static jvmtiIterationControl answer(jlong tag) { return ++calls == limit ? JVMTI_ITERATION_ABORT : tag == 13 ? JVMTI_ITERATION_IGNORE : JVMTI_ITERATION_CONTINUE; }
static jvmtiIterationControl JNICALL reference(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag, jlong from, jint index, void *data) {
    if (*tag || class_tag) LINE("  kind %d class %ld tag %ld from %ld index %d %s\n", kind, class_tag, *tag, from, kind == 9 ? 0 : index, (char *) data);
    if (class_tag == 1 && !*tag) *tag = 100;
    return answer(*tag);
}
static jvmtiIterationControl JNICALL root(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag, void *data) {
    if (*tag || class_tag == 2) LINE("  root %d class %ld tag %ld\n", kind, class_tag, *tag);
    return JVMTI_ITERATION_CONTINUE;
}
static jvmtiIterationControl JNICALL on_stack(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag, jlong thread, jint depth, jmethodID m, jint slot, void *data) {
    if (*tag == 55 && kind == JVMTI_HEAP_ROOT_STACK_LOCAL) LINE("  stack %d tag %ld thread %ld %s\n", kind, *tag, thread, m ? "method" : "none");
    return JVMTI_ITERATION_IGNORE;
}
static jvmtiIterationControl JNICALL object(jlong class_tag, jlong size, jlong *tag, void *data) {
    LINE("  object class %ld tag %ld %s\n", class_tag, *tag, (char *) data);
    if (!*tag) *tag = 200;
    return answer(0);
}
JNIEXPORT void JNICALL Java_Main_tag(JNIEnv *env, jclass c, jobject o, jlong tag) { (*ti)->SetTag(ti, o, tag); }
JNIEXPORT jlong JNICALL Java_Main_tagOf(JNIEnv *env, jclass c, jobject o) { jlong t = -1; (*ti)->GetTag(ti, o, &t); return t; }
JNIEXPORT void JNICALL Java_Main_from(JNIEnv *env, jclass c, jobject o, jint most) {
    calls = 0; limit = most;
    int e = (*ti)->IterateOverObjectsReachableFromObject(ti, o, reference, "x");
    char what[60]; sprintf(what, "from %d", e);
    flush(what);
}
JNIEXPORT void JNICALL Java_Main_reachable(JNIEnv *env, jclass c) {
    calls = 0; limit = -1;
    int e = (*ti)->IterateOverReachableObjects(ti, root, on_stack, NULL, NULL);
    char what[60]; sprintf(what, "reachable %d", e);
    flush(what);
}
JNIEXPORT void JNICALL Java_Main_objects(JNIEnv *env, jclass c, jclass of, jint filter, jint most) {
    calls = 0; limit = most;
    int e = (*ti)->IterateOverInstancesOfClass(ti, of, filter, object, "y");
    char what[60]; sprintf(what, "objects %d filter %d", e, filter);
    flush(what);
}
static jvmtiIterationControl JNICALL counted(jlong class_tag, jlong size, jlong *tag, void *data) { if (class_tag == 1 || class_tag == 2) ++*(int *) data; return JVMTI_ITERATION_CONTINUE; }
JNIEXPORT jint JNICALL Java_Main_heap(JNIEnv *env, jclass c, jint filter) {
    int n = 0, e = (*ti)->IterateOverHeap(ti, filter, counted, &n);
    return e * 1000 + n;
}
static jniNativeInterface *plain, mine;
static int seen;
static jstring JNICALL new_string(JNIEnv *env, const char *text) { seen++; return plain->NewStringUTF(env, "intercepted"); }
static jint JNICALL version(JNIEnv *env) { seen++; return plain->GetVersion(env) + 1; }
JNIEXPORT jstring JNICALL Java_Main_string(JNIEnv *env, jclass c) { return (*env)->NewStringUTF(env, "plain"); }
JNIEXPORT jint JNICALL Java_Main_intercept(JNIEnv *env, jclass c, jboolean on) {
    jint e = 0;
    if (on) {
        e = (*ti)->GetJNIFunctionTable(ti, &plain);
        mine = *plain;
        mine.NewStringUTF = new_string;
        mine.GetVersion = version;
    }
    e = e * 1000 + (*ti)->SetJNIFunctionTable(ti, on ? &mine : plain);
    printf("%x %d\n", (*env)->GetVersion(env), seen);
    fflush(stdout);
    return e;
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_0);
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_tag_objects = 1;
    return (*ti)->AddCapabilities(ti, &c);
}
C
cat > Main.java <<'J'
public class Main {
    static class Node { Node next; Object other; int number; Node(Node n) { next = n; } }
    static class Leaf extends Node { Leaf() { super(null); } }
    interface Marked { }
    static class Marking implements Marked { static Object held = new Object(); static int n = 5; }
    static Object kept;
    static native void tag(Object o, long tag);
    static native long tagOf(Object o);
    static native void from(Object o, int most);
    static native void reachable();
    static native void objects(Class<?> c, int filter, int most);
    static native int heap(int filter);
    static native String string();
    static native int intercept(boolean on);
    public static void main(String[] a) throws Exception {
        System.load(a[0]);
        Leaf leaf = new Leaf();
        Node n = new Node(new Node(leaf));
        n.other = new Object[] {n, leaf, null, new int[3]};
        leaf.other = leaf;
        tag(Node.class, 1);
        tag(Leaf.class, 2);
        tag(n, 50);
        from(n, -1);
        System.out.println(tagOf(n) + " " + tagOf(n.next) + " " + tagOf(leaf));
        tag(n.next, 13);
        from(n, -1);
        from(n, 1);
        tag(Marking.class, 3);
        tag(Marking.held, 30);
        from(Marking.class, 1 << 30);
        Node[] hidden = {new Leaf()};
        tag(hidden[0], 55);
        tag(Thread.currentThread(), 5);
        Object local = hidden[0];
        reachable();
        tag(local, 0);
        tag(n.next, 0);
        for (int filter = 1; filter < 4; filter++) objects(Node.class, filter, -1);
        objects(Leaf.class, 3, -1);
        tag(n, 0);
        objects(Node.class, 2, 1);
        kept = new Marking();
        objects(Marked.class, 3, -1);
        objects(int.class, 3, -1);
        System.out.println(heap(1) + " " + heap(2) + " " + heap(3));
        System.out.println(string());
        System.out.println(intercept(true));
        System.out.println(string());
        Thread t = new Thread(() -> System.out.println(string()));
        t.start();
        t.join();
        System.out.println(intercept(false));
        System.out.println(string() + hidden.length + n.number + local.getClass());
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
echo checked
"$JAVA_HOME/bin/java" $VM_OPTIONS -Xcheck:jni -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning | tail -8
