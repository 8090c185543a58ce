# A library registers functions of its own for native methods of the class library that the VM has itself, before and
# after they were hot; a tool that stands in RegisterNatives' place is shown where park is, and parks by it.
cat > over.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static int parks;
typedef void (*Park)(JNIEnv *, jobject, jboolean, jlong);
static Park park;
static jint (JNICALL *registers)(JNIEnv *, jclass, const JNINativeMethod *, jint);
static jclass unsafe;
static jint JNICALL processors(JNIEnv *e, jobject r) { (void) e; (void) r; return 77; }
static jboolean JNICALL holds(JNIEnv *e, jclass c, jobject o) { (void) e; (void) c; return o == NULL; }
static void JNICALL parked(JNIEnv *e, jobject u, jboolean absolute, jlong time) {
    __atomic_fetch_add(&parks, 1, __ATOMIC_SEQ_CST);
    park(e, u, absolute, time);
}
static jint JNICALL mine(JNIEnv *e, jclass c, const JNINativeMethod *m, jint n) {
    if (!(*e)->IsSameObject(e, c, unsafe)) return registers(e, c, m, n);
    for (int i = 0; i < n; i++)
        if (!strcmp(m[i].name, "park") && !strcmp(m[i].signature, "(ZJ)V")) park = (Park) m[i].fnPtr;
    return 0;
}
JNIEXPORT void JNICALL Java_Main_replace(JNIEnv *e, jclass c, jclass thread, jclass runtime) {
    (void) c;
    JNINativeMethod m = {"holdsLock", "(Ljava/lang/Object;)Z", holds}, n = {"availableProcessors", "()I", processors};
    int first = (*e)->RegisterNatives(e, thread, &m, 1), second = (*e)->RegisterNatives(e, runtime, &n, 1);
    printf("replaced %d %d\n", first, second);
    fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_trace(JNIEnv *e, jclass c) {
    (void) c;
    unsafe = (*e)->NewGlobalRef(e, (*e)->FindClass(e, "jdk/internal/misc/Unsafe"));
    jmethodID m = (*e)->GetStaticMethodID(e, unsafe, "registerNatives", "()V");
    jniNativeInterface *table;
    (*ti)->GetJNIFunctionTable(ti, &table);
    registers = table->RegisterNatives;
    table->RegisterNatives = mine;
    (*ti)->SetJNIFunctionTable(ti, table);
    (*e)->CallStaticVoidMethod(e, unsafe, m);
    table->RegisterNatives = registers;
    (*ti)->SetJNIFunctionTable(ti, table);
    printf("found %d\n", park != NULL);
    fflush(stdout);
    JNINativeMethod row = {"park", "(ZJ)V", parked};
    printf("registered %d\n", (*e)->RegisterNatives(e, unsafe, &row, 1));
    fflush(stdout);
}
JNIEXPORT jint JNICALL Java_Main_parks(JNIEnv *e, jclass c) { (void) e; (void) c; return parks; }
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *r) {
    (void) r;
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    return JNI_VERSION_10;
}
C
cat > Main.java <<'J'
import java.util.concurrent.locks.LockSupport;

public class Main {
    static native void replace(Class<?> thread, Class<?> runtime);
    static native void trace();
    static native int parks();

    static int owned(Object o, int n) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            if (Thread.holdsLock(o)) s++;
            if (Runtime.getRuntime().availableProcessors() == 77) s += 1000000;
        }
        return s;
    }

    static int park(int n) {
        int before = parks();
        for (int i = 0; i < n; i++) {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park(Main.class);
        }
        return parks() - before;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        Object o = new Object();
        System.out.println(owned(o, 2000));
        synchronized (o) {
            System.out.println(owned(o, 2000));
        }
        System.out.println(park(20000));
        trace();
        System.out.println(park(20000));
        Thread t = new Thread(() -> {
            LockSupport.park();
            System.out.println("woken " + Thread.interrupted());
            Thread.currentThread().interrupt();
            LockSupport.park();
            System.out.println("interrupted " + Thread.interrupted());
            LockSupport.parkNanos(1000);
            LockSupport.parkUntil(System.currentTimeMillis() + 5);
        });
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        System.out.println(t.getState());
        LockSupport.unpark(t);
        t.join();
        System.out.println(parks() - 20000 >= 4);
        Thread s = new Thread(() -> {
            try {
                LockSupport.park();
            } catch (ThreadDeath e) {
                System.out.println("stopped");
            }
        });
        s.start();
        while (s.getState() != Thread.State.WAITING) Thread.sleep(1);
        s.stop();
        s.join();
        replace(Thread.class, Runtime.class);
        synchronized (o) {
            System.out.println(owned(o, 2000));
        }
        System.out.println(Thread.holdsLock(null));
    }
}
J
gcc -O1 -w -shared -fPIC -o libover.so over.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" -nowarn Main.java 2> /dev/null
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Main "$PWD/libover.so" 2>&1 | sed 's/^\[[0-9.]*s\]//'
