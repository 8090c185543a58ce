# skip-mode: relayout
# A C agent hears of allocations: those that the VM makes for native methods, and samples of all, by every way in which objects are made.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jvmtiEnv *ti;
static __thread int on, samples, depth, deepest;
static char lines[64][200];
static int count;
static void tell(const char *what, JNIEnv *env, jthread t, jobject o, jclass c, jlong size) {
    char *s, *n = "-";
    jvmtiFrameInfo f;
    jint frames;
    jlong real;
    (*ti)->GetClassSignature(ti, c, &s, NULL);
    (*ti)->GetStackTrace(ti, NULL, 0, 1, &f, &frames);
    (*ti)->GetObjectSize(ti, o, &real);
    if (frames) (*ti)->GetMethodName(ti, f.method, &n, NULL, NULL);
    // What a trace is made of is the VM's own business.
    if (!strcmp(n, "fillInStackTrace") || !strcmp(n, "getRecordComponents0") && !strcmp(s, "[Ljava/lang/Class;")) return;
    snprintf(lines[count++ & 63], 200, "  %s %.30s in %s%s%s\n", what, s, n,
             (*env)->IsSameObject(env, c, (*env)->GetObjectClass(env, o)) ? "" : " of another class", size == real ? "" : " of another size");
}
static void JNICALL by_vm(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o, jclass c, jlong size) {
    if (on == 1) { on = 0; tell("vm", env, t, o, c, size); on = 1; }
}
static void JNICALL sampled(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o, jclass c, jlong size) {
    if (on == 1) { on = 0; tell("sample", env, t, o, c, size); on = 1; }
    else if (on == 2) samples++;
    else if (on == 4) {
        // Every second object is everybody's and old before its maker goes on.
        if (++samples % 2 == 0) {
            (*env)->DeleteWeakGlobalRef(env, (*env)->NewWeakGlobalRef(env, o));
            (*ti)->ForceGarbageCollection(ti);
        }
    }
    else if (on == 3) {
        // What is made here is told of to nobody.
        samples++;
        if (++depth > deepest) deepest = depth;
        if (depth < 20) (*env)->NewIntArray(env, 5);
        depth--;
    }
}
static int by_text(const void *a, const void *b) { return strcmp(a, b); }
JNIEXPORT void JNICALL Java_Main_begin(JNIEnv *env, jclass c, jint kind) { on = kind; }
JNIEXPORT jint JNICALL Java_Main_end(JNIEnv *env, jclass c, jboolean sorted) {
    int n = samples, times;
    on = samples = 0;
    // The order in which the VM makes the parts of a thing is its own, too.
    if (sorted) qsort(lines, count, sizeof lines[0], by_text);
    for (int i = 0; i < count; i++) printf("%s", lines[i]);
    count = 0;
    fflush(stdout);
    return n;
}
JNIEXPORT jint JNICALL Java_Main_deepest(JNIEnv *env, jclass c) { return deepest; }
JNIEXPORT jint JNICALL Java_Main_interval(JNIEnv *env, jclass c, jint n) { return (*ti)->SetHeapSamplingInterval(ti, n); }
static int set(int on) {
    return (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL) * 1000
         + (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_VM_OBJECT_ALLOC, NULL);
}
JNIEXPORT jint JNICALL Java_Main_events(JNIEnv *env, jclass c, jboolean on) { return set(on); }
JNIEXPORT jobject JNICALL Java_Main_jni(JNIEnv *env, jclass c, jint kind) {
    jchar cs[] = {'a', 0x1234};
    switch (kind) {
    case 0: return (*env)->NewObject(env, c, (*env)->GetMethodID(env, c, "<init>", "()V"));
    case 1: return (*env)->AllocObject(env, c);
    case 2: return (*env)->NewStringUTF(env, "text");
    case 3: return (*env)->NewString(env, cs, 2);
    case 4: return (*env)->NewIntArray(env, 5);
    case 5: return (*env)->NewObjectArray(env, 5, c, NULL);
    }
    return (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/Error"), "thrown"), NULL;
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    printf("without %d %d\n", (*ti)->SetHeapSamplingInterval(ti, 5), set(1));
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    c.can_generate_vm_object_alloc_events = c.can_generate_sampled_object_alloc_events = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c));
    printf("interval %d %d\n", (*ti)->SetHeapSamplingInterval(ti, -1), (*ti)->SetHeapSamplingInterval(ti, 0));
    jvmtiEventCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.VMObjectAlloc = by_vm;
    cb.SampledObjectAlloc = sampled;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    fflush(stdout);
    return 0;
}
C
cat > Main.java <<'J'
import java.lang.invoke.*;
import java.lang.reflect.*;
public class Main implements Cloneable {
    static volatile Object kept;
    static Main[] many = new Main[16];
    int number;
    Main next;
    static int answer(int x) { return x; }
    static int wide(long x) { return (int) x; }
    static Object same(Object o) { return o; }
    Main copy() throws Exception { return (Main) clone(); }
    static native void begin(int kind);
    static native int end(boolean sorted);
    static native int interval(int n);
    static native int deepest();
    static native int events(boolean on);
    static native Object jni(int kind);
    interface Op { Object run() throws Throwable; }
    static void op(String name, Op o) throws Throwable {
        boolean first = name.startsWith("first"), sorted = name.startsWith("thrown") || name.startsWith("jni") || first;
        System.out.println(name);
        System.out.flush();
        try { if (!first) o.run(); } catch (Throwable e) { kept = e; }
        begin(1);
        try { kept = o.run(); } catch (Throwable e) { kept = e; }
        end(sorted);
    }
    static int count(int n) {
        begin(2);
        for (int i = 0; i < n; i++) many[i & 15] = new Main();
        return end(true);
    }
    static int arrays(int kind, int n) {
        begin(2);
        for (int i = 0; i < n; i++) kept = kind == 0 ? new int[i & 63] : kind == 1 ? new Object[i & 63] : new byte[20000];
        return end(true);
    }
    // HotSpot at times makes a dozen objects of its own on this thread.
    static int told(int n, int made) { return n - made < 0 || n - made > 50 ? n : made; }
    static int linked(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Main m = new Main();
            m.number = i;
            Main k = new Main();
            k.next = m;
            sum += linkedTo(k, i);
        }
        return sum;
    }
    static int linkedTo(Main k, int i) {
        Main before = many[i & 15];
        many[i & 15] = k;
        return before == null || before.next == null ? 0 : before.next.number;
    }
    static int copies(int n) throws Exception {
        Main m = new Main();
        begin(2);
        for (int i = 0; i < n; i++) kept = m.copy();
        return end(true);
    }
    static class Other { int x; double y; }
    record Pair(int a, String b) { }
    public static void main(String[] a) throws Throwable {
        System.load(a[0]);
        Object[] none = {};
        Constructor<Main> cons = Main.class.getConstructor();
        Method answer = Main.class.getDeclaredMethod("answer", int.class), wide = Main.class.getDeclaredMethod("wide", long.class),
            same = Main.class.getDeclaredMethod("same", Object.class);
        MethodHandle mh = MethodHandles.lookup().findConstructor(Main.class, MethodType.methodType(void.class));
        Field uf = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        uf.setAccessible(true);
        sun.misc.Unsafe u = (sun.misc.Unsafe) uf.get(null);
        Object[] args = {5}, longs = {5L};
        Main one = new Main();
        int[] ints = new int[3], dims = {2, 2};
        boolean[] flags = {true};
        char[] chars = new char[20];
        System.out.println("events " + events(true));
        begin(0);
        end(false);
        op("new", () -> new Main());
        op("int[]", () -> new int[10]);
        op("large", () -> new long[100000]);
        op("String[]", () -> new String[3]);
        op("int[][]", () -> new int[2][3]);
        op("clone", () -> one.copy());
        op("array clone", () -> ints.clone());
        op("array", () -> Array.newInstance(Main.class, 3));
        op("array of int", () -> Array.newInstance(int.class, 3));
        op("arrays", () -> Array.newInstance(int.class, dims));
        op("element", () -> Array.get(ints, 1));
        op("element Z", () -> Array.get(flags, 0));
        op("Unsafe", () -> u.allocateInstance(Main.class));
        op("constructor", () -> cons.newInstance(none));
        op("method", () -> answer.invoke(null, args));
        op("method J", () -> wide.invoke(null, longs));
        op("method L", () -> same.invoke(null, args));
        op("handle", () -> (Object) (Main) mh.invokeExact());
        op("Integer", () -> Integer.valueOf(4711));
        for (int i = 0; i < 7; i++) {
            int k = i;
            op("jni " + i, () -> jni(k));
        }
        op("interfaces", () -> Main.class.getInterfaces());
        op("members", () -> Main.class.getNestMembers());
        op("known string", () -> "abc".intern());
        op("string", () -> { chars[0]++; return new String(chars).intern(); });
        op("first string", () -> "not seen before");
        op("thrown by null", () -> ((Main) null).number);
        op("thrown by division", () -> 1 / (ints.length - 3));
        op("thrown by cast", () -> (String) (Object) one);
        op("thrown by index", () -> ints[4]);
        op("thrown by copy", () -> { System.arraycopy(ints, 0, new int[1], 0, 3); return null; });
        op("thrown by size", () -> new int[ints[0] - 1]);
        op("Throwable", () -> new Throwable("x"));
        op("first array class", () -> Other[][].class);
        op("fields", () -> Other.class.getDeclaredFields().length);
        op("components", () -> Pair.class.getRecordComponents().length);
        op("parameters", () -> answer.getParameters().length);
        op("string builder", () -> new StringBuilder().append(one.number).append('x').toString());
        count(10000);
        // Whatever the code is by then.
        for (int i = 0; i < 12; i++) System.out.print(told(count(10000), 10000) + " " + told(copies(2000), 2000) + " ");
        for (int i = 0; i < 12; i++) System.out.print(told(arrays(i % 3, 3000), 3000) + " ");
        System.out.println(interval(65536));
        int n = 0;
        for (int i = 0; i < 10; i++) n += count(100000);
        System.out.println(n > 150 && n < 500 ? "small objects" : "small objects: " + n);
        n = 0;
        for (int i = 0; i < 10; i++) n += arrays(2, 3000);
        System.out.println(n > 6500 && n < 12000 ? "arrays" : "arrays: " + n);
        interval(0);
        count(1000000);
        begin(3);
        for (int i = 0; i < 1000; i++) kept = new int[1000];
        System.out.println("samples of a callback that makes objects " + told(end(true), 1000) + ", " + deepest() + " deep");
        int sum = linked(100000);
        begin(4);
        sum += linked(80);
        end(true);
        System.gc();
        System.out.println("objects that are linked after a callback " + sum + " " + linked(80));
        System.out.println("events " + events(false) + interval(0) + " " + count(1000));
        System.out.println("events " + events(true));
        // Beyond the sample that the last interval has set.
        count(1000000);
        System.out.println(count(1000));
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" -XDignore.symbol.file Main.java 2>&1 | grep error
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:+UnlockDiagnosticVMOptions -XX:+VerifyAfterGC -agentpath:$PWD/libagent.so -cp . Main $PWD/libagent.so 2>&1 | grep -v warning
