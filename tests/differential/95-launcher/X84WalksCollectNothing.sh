# Walks of the heap collect nothing: what only weak, soft or phantom references, or finalizers' lists, reach is still there behind them.
# timeout: 120
# skip-mode: zeal relayout
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti; static int n, collections;
static void JNICALL begins(jvmtiEnv *j) { collections++; }
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c); c.can_tag_objects = c.can_generate_garbage_collection_events = 1; (*ti)->AddCapabilities(ti, &c);
    jvmtiEventCallbacks b; memset(&b, 0, sizeof b); b.GarbageCollectionStart = begins; (*ti)->SetEventCallbacks(ti, &b, sizeof b);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, NULL);
    return 0;
}
static jint JNICALL ref(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong ct, jlong rct, jlong s, jlong *t, jlong *rt, jint len, void *d) { if (ct == 5 && *t == 0) { *t = 7; n++; printf("reference of kind %d\n", k); } return JVMTI_VISIT_OBJECTS; }
static jint JNICALL it(jlong ct, jlong s, jlong *t, jint len, void *d) { if (ct == 5) n++; return 0; }
JNIEXPORT void JNICALL Java_Main_count(JNIEnv *e, jclass k, jclass of) {
    jvmtiHeapCallbacks b; memset(&b, 0, sizeof b); b.heap_reference_callback = ref; b.heap_iteration_callback = it;
    int before = collections; (*ti)->SetTag(ti, of, 5);
    n = 0; (*ti)->FollowReferences(ti, 0, NULL, NULL, &b, NULL); printf("followed %d\n", n);
    n = 0; (*ti)->IterateThroughHeap(ti, 0, NULL, &b, NULL); printf("iterated %d, collections %d\n", n, collections - before); (*ti)->SetTag(ti, of, 0); fflush(stdout);
}
C
cat > Main.java <<'J'
import java.lang.ref.*;

public class Main {
    static native void count(Class<?> c);
    static class OfPhantom { }
    static class OfWeak { }
    static class OfSoft { }
    static class Finalizable { @Override protected void finalize() { } }
    static Object[] keep = new Object[3];

    static void make() {
        keep[0] = new PhantomReference<>(new OfPhantom(), new ReferenceQueue<>());
        keep[1] = new WeakReference<>(new OfWeak());
        keep[2] = new SoftReference<>(new OfSoft());
        new Finalizable();
    }
    public static void main(String[] args) {
        make();
        for (int i = 0; i < 2; i++)
            for (Class<?> c : new Class<?>[] { OfPhantom.class, OfWeak.class, OfSoft.class, Finalizable.class }) {
                System.out.println(c.getName());
                count(c);
            }
        System.out.println(((Reference<?>) keep[1]).get() != null);
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java 2> /dev/null
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main
