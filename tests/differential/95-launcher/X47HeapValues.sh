# A C agent's walks of the heap: primitive values in fields, arrays and strings, by every filter, and where on a stack a reference is.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jvmtiEnv *ti;
static char lines[4000][160];
static jmethodID methods[4000];
static int count, only;
static char *where;
#define LINE(...) (snprintf(lines[count], sizeof lines[0], __VA_ARGS__), methods[count] = NULL, count++)
// A tag of the program's, not of a class that many refer to.
static int own(jlong tag) { return tag > 0 && tag < 100 || tag >= 200; }
static jint JNICALL reference(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong ct, jlong rct, jlong size, jlong *tag, jlong *rtag, jint length, void *data) {
    if (!own(*tag) || only && *tag < 200 || count > 3900) return JVMTI_VISIT_OBJECTS;
    jlong from = rtag ? *rtag : -1;
    if (k == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
        LINE("stack tag %lld of thread %lld %d depth %d at %lld slot %d", (long long) *tag, (long long) i->stack_local.thread_tag, i->stack_local.thread_id > 0,
             i->stack_local.depth, (long long) i->stack_local.location, i->stack_local.slot);
        methods[count - 1] = i->stack_local.method;
    } else if (k == JVMTI_HEAP_REFERENCE_JNI_LOCAL) {
        LINE("jni tag %lld of thread %lld %d depth %d", (long long) *tag, (long long) i->jni_local.thread_tag, i->jni_local.thread_id > 0, i->jni_local.depth);
        methods[count - 1] = i->jni_local.method;
    } else if (k == JVMTI_HEAP_REFERENCE_FIELD || k == JVMTI_HEAP_REFERENCE_STATIC_FIELD || k == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT)
        LINE("reference %d tag %lld from %lld index %d", k, (long long) *tag, (long long) from, i->field.index);
    return JVMTI_VISIT_OBJECTS;
}
static jint JNICALL iteration(jlong ct, jlong size, jlong *tag, jint length, void *data) {
    if (own(*tag)) LINE("object tag %lld class %lld length %d", (long long) *tag, (long long) ct, length);
    return JVMTI_VISIT_OBJECTS;
}
static void text(char *out, jvalue v, jvmtiPrimitiveType t) {
    switch (t) {
    case 'Z': sprintf(out, "Z %d", v.z); break;
    case 'B': sprintf(out, "B %d", v.b); break;
    case 'C': sprintf(out, "C %d", v.c); break;
    case 'S': sprintf(out, "S %d", v.s); break;
    case 'I': sprintf(out, "I %d", v.i); break;
    case 'J': sprintf(out, "J %lld", (long long) v.j); break;
    case 'F': sprintf(out, "F %g", v.f); break;
    case 'D': sprintf(out, "D %g", v.d); break;
    default: sprintf(out, "type %d", t);
    }
}
static jint JNICALL field(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong ct, jlong *tag, jvalue v, jvmtiPrimitiveType t, void *data) {
    char s[40];
    text(s, v, t);
    if (*tag == 400) return JVMTI_VISIT_ABORT;
    if (own(*tag)) LINE("field kind %d index %d tag %lld class %lld %s", k, i->field.index, (long long) *tag, (long long) ct, s);
    return JVMTI_VISIT_OBJECTS;
}
static jint JNICALL array(jlong ct, jlong size, jlong *tag, jint n, jvmtiPrimitiveType t, const void *e, void *data) {
    if (!own(*tag)) return JVMTI_VISIT_OBJECTS;
    char s[200] = "";
    int w = t == 'J' || t == 'D' ? 8 : t == 'I' || t == 'F' ? 4 : t == 'S' || t == 'C' ? 2 : 1;
    for (int i = 0; i < n && i < 5; i++) {
        jvalue v;
        memset(&v, 0, sizeof v);
        memcpy(&v, (char *) e + i * w, w);
        text(s + strlen(s), v, t);
        strcat(s, " ");
    }
    LINE("array tag %lld class %lld length %d type %c: %s", (long long) *tag, (long long) ct, n, t, s);
    if (*tag == 13) *tag = 413;
    return JVMTI_VISIT_OBJECTS;
}
static jint JNICALL string(jlong ct, jlong size, jlong *tag, const jchar *c, jint n, void *data) {
    if (!own(*tag)) return JVMTI_VISIT_OBJECTS;
    char s[100] = "";
    for (int i = 0; i < n; i++) sprintf(s + strlen(s), " %x", c[i]);
    LINE("string tag %lld class %lld length %d:%s", (long long) *tag, (long long) ct, n, s);
    return JVMTI_VISIT_OBJECTS;
}
static int by_text(const void *a, const void *b) { return strcmp(a, b); }
JNIEXPORT void JNICALL Java_Main_tag(JNIEnv *env, jclass c, jobject o, jlong t) { (*ti)->SetTag(ti, o, t); }
JNIEXPORT jlong JNICALL Java_Main_tagOf(JNIEnv *env, jclass c, jobject o) { jlong t; (*ti)->GetTag(ti, o, &t); return t; }
JNIEXPORT jint JNICALL Java_Main_walk(JNIEnv *env, jclass c, jint how, jint filter, jclass of, jobject initial) {
    jvmtiHeapCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.heap_reference_callback = how & 1 ? reference : NULL;
    cb.heap_iteration_callback = how & 2 ? iteration : NULL;
    cb.primitive_field_callback = how & 4 ? field : NULL;
    cb.array_primitive_value_callback = how & 8 ? array : NULL;
    cb.string_primitive_value_callback = how & 16 ? string : NULL;
    only = how & 64;
    count = 0;
    int answer = how & 32 ? (*ti)->IterateThroughHeap(ti, filter, of, &cb, NULL) : (*ti)->FollowReferences(ti, filter, of, initial, &cb, NULL);
    for (int i = 0; i < count; i++) if (methods[i]) {
        char *n;
        (*ti)->GetMethodName(ti, methods[i], &n, NULL, NULL);
        sprintf(lines[i] + strlen(lines[i]), " in %s", n);
    }
    qsort(lines, count, sizeof lines[0], by_text);
    printf("walk %d\n", answer);
    for (int i = 0; i < count; i++) printf("  %s\n", lines[i]);
    fflush(stdout);
    return count;
}
JNIEXPORT void JNICALL Java_Main_nest(JNIEnv *env, jclass c, jobject o) {
    jobject l = (*env)->NewLocalRef(env, (*env)->GetStaticObjectField(env, c, (*env)->GetStaticFieldID(env, c, "kept", "Ljava/lang/Object;")));
    (*env)->CallStaticVoidMethod(env, c, (*env)->GetStaticMethodID(env, c, "nested", "()V"));
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_tag_objects = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c));
    fflush(stdout);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    interface Constant { int C = 4; String S = "s".concat("t"); long L = System.nanoTime() != 0 ? 5L : 6L; }
    static class Base { int base = 1; Object ref; static byte sb = 2; }
    static class All extends Base implements Constant {
        boolean z = true; byte b = -2; char c = 'c'; short s = -3; int i = 1 << 30; long j = 1L << 40; float f = 1.5f; double d = -2.5; String t = "own";
        static boolean sz = true; static char sc = 'C'; static short ss = -4; static int si = 77; static long sj = -1; static float sf = 0.5f;
        static double sd = 9; static Object so = new Object();
        static final int CONST = 12;
    }
    static native void tag(Object o, long t);
    static native long tagOf(Object o);
    static native int walk(int how, int filter, Class<?> of, Object initial);
    static native void nest(Object o);
    static Object kept;
    static Object tagged(Object o, long t) { tag(o, t); return o; }
    static void say(String s) { System.out.println(s); System.out.flush(); }
    static int inner(boolean really, Object first, long wide, Object second) {
        Object local = kept;
        if (really) walk(1 + 64, 0, null, null);
        return first.hashCode() + local.hashCode() + second.hashCode() + (int) wide;
    }
    static int pair(Object o, int n) { return o == null ? n : n + 1; }
    synchronized int middle(boolean really, Object a, Object b) {
        int n;
        synchronized (Main.class) { n = pair(b, pair(really ? tagged(new Object(), 205) : a, inner(really, a, 4, b))); }
        // What is not used any more may be told or not.
        return n + hashCode() + a.hashCode() + b.hashCode();
    }
    static void nested() {
        Object here = tagged(new Object(), 208);
        say("nested");
        walk(1 + 64, 0, null, null);
        here.hashCode();
    }
    static void hold(Object what, Object lock) throws InterruptedException {
        synchronized (lock) { while (kept != null) lock.wait(); }
        what.hashCode();
    }
    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        All o = new All();
        String latin = new String("latin"), wide = new String("w\u1234de"), empty = new String("");
        Object[] all = {o, new boolean[] {true, false}, new byte[] {1, -1}, new char[] {'a', '\u4321'}, new short[] {5, -5}, new int[] {1, 2, 3},
            new long[] {1L << 50}, new float[] {1, 2}, new double[] {0.25}, latin, wide, empty, new int[0], All.class, Base.class, new Object[] {latin}};
        for (int i = 0; i < all.length; i++) tag(all[i], i + 1);
        int[] kinds = {4, 8, 16, 31};
        for (int k : kinds) {
            say("follow " + k);
            walk(k, 0, null, all);
            if (k == 8) { System.out.println(tagOf(all[12])); tag(all[12], 13); }
            say("iterate " + k);
            walk(32 + k, 0, null, null);
            if (k == 8) { System.out.println(tagOf(all[12])); tag(all[12], 13); }
        }
        tag(all[12], 14);
        tag(String.class, 100);
        tag(int[].class, 101);
        for (int f : new int[] {4, 8, 16, 32}) {
            say("filter " + f);
            walk(31, f, null, all);
            walk(32 + 31, f, null, null);
        }
        for (Class<?> c : new Class<?>[] {int[].class, All.class, String.class, Class.class, Base.class}) {
            say("only " + c);
            walk(31, 0, c, all);
            walk(32 + 31, 0, c, null);
        }
        for (int i = 0; i < all.length; i++) tag(all[i], 0);
        Base ends = new Base();
        tag(ends, 400);
        say("ended");
        walk(4, 0, null, new Object[] {o, ends});
        tag(ends, 0);
        kept = tagged(new Object(), 200);
        Object a = tagged(new Object(), 201), b = tagged(new int[] {1}, 203);
        tag(Thread.currentThread(), 300);
        Main m = new Main();
        tag(m, 202);
        int sum = 0;
        for (int i = 0; i < 3000; i++) sum += m.middle(false, a, b);
        say("stack");
        sum += m.middle(true, a, b);
        nest(null);
        Object lock = new Object();
        Thread t = new Thread(() -> {
            try {
                hold(tagged(new Object(), 206), lock);
            } catch (InterruptedException e) {
                throw new Error(e);
            }
        });
        tag(t, 301);
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        say("another thread");
        walk(1 + 64, 0, null, null);
        synchronized (lock) { kept = null; lock.notifyAll(); }
        t.join();
        System.out.println(sum != a.hashCode() + m.hashCode() + b.hashCode());
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
