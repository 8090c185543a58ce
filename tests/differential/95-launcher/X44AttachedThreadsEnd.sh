# Native threads that end while attached: a destructor of thread-specific data still calls Java and detaches; who does
# not detach stays in the lists of threads, without a stack, and hinders neither dumps nor collections.
cat > Seen.java <<'J'
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.TreeMap;

public class Seen {
    static void collect(String where) {
        Object o = new Object();
        int hash = o.hashCode();
        for (int i = 0; i < 10; i++) {
            Object[] x = new Object[10_000];
            for (int j = 0; j < x.length; j++) x[j] = new int[4];
            if (i % 5 == 0) System.gc();
        }
        System.out.println(where + " " + Thread.currentThread().getName() + " " + (hash == o.hashCode()));
    }

    @SuppressWarnings("removal")
    static void look() throws Exception {
        collect("look");
        TreeMap<String, String> all = new TreeMap<>();
        for (var e : Thread.getAllStackTraces().entrySet()) {
            Thread t = e.getKey();
            if (!t.getName().startsWith("native")) continue;
            t.interrupt();
            t.suspend();
            t.resume();
            t.join(10);
            all.put(t.getName(), t.getState() + " " + e.getValue().length + " " + t.isAlive() + " " + t.isInterrupted());
        }
        for (ThreadInfo i : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
            if (i.getThreadName().startsWith("native")) all.merge(i.getThreadName(), " " + i.getThreadState(), String::concat);
        }
        System.out.println(all);
        for (Thread t : Thread.getAllStackTraces().keySet()) {
            if (t.getName().startsWith("native")) t.stop();
        }
        collect("stopped");
    }
}
J
cat > ends.c <<'C'
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static JavaVM *vm;
static pthread_key_t key;
static jclass seen;
static jmethodID collect;
static jobject lock;
static void collects(JNIEnv *env, const char *where) {
    (*env)->CallStaticVoidMethod(env, seen, collect, (*env)->NewStringUTF(env, where));
}
static void destroyed(void *arg) {
    JNIEnv *env = arg, *now = NULL;
    printf("getenv %d\n", (*vm)->GetEnv(vm, (void **) &now, JNI_VERSION_10));
    jstring s = (*env)->NewStringUTF(env, "kept over collections");
    collects(env, "destructor");
    printf("length %d, pending %d\n", (*env)->GetStringLength(env, s), (*env)->ExceptionCheck(env));
    printf("detach %d\n", (*vm)->DetachCurrentThread(vm));
    printf("getenv %d\n", (*vm)->GetEnv(vm, (void **) &now, JNI_VERSION_10));
}
static void *body(void *arg) {
    JNIEnv *env = NULL;
    JavaVMAttachArgs a = {JNI_VERSION_10, arg, NULL};
    printf("attach %d\n", (*vm)->AttachCurrentThreadAsDaemon(vm, (void **) &env, &a));
    for (int i = 0; i < 50; i++) {
        (*env)->NewStringUTF(env, "local");
    }
    if (strstr(arg, "destructor")) {
        pthread_setspecific(key, env);
    }
    if (strstr(arg, "owner")) {
        printf("enter %d\n", (*env)->MonitorEnter(env, lock));
    }
    if (strstr(arg, "exception")) {
        (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/RuntimeException"), "left");
    }
    return NULL;
}
/* On a stack that is gone after it. */
static void ends(char *name) {
    size_t size = 1 << 20;
    void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstack(&a, stack, size);
    pthread_t t;
    if (pthread_create(&t, &a, body, name) == 0) {
        pthread_join(t, NULL);
    }
    munmap(stack, size);
}
int main(int argc, char **argv) {
    JNIEnv *env;
    JavaVMOption options[20] = {{"-Djava.class.path=."}, {"-Xmx64m"}};
    JavaVMInitArgs args = {.version = JNI_VERSION_10, .nOptions = 2, .options = options};
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int i = 1; i < argc && i < 18; i++) {
        options[args.nOptions++].optionString = argv[i];
    }
    printf("create %d\n", JNI_CreateJavaVM(&vm, (void **) &env, &args));
    seen = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "Seen"));
    collect = (*env)->GetStaticMethodID(env, seen, "collect", "(Ljava/lang/String;)V");
    lock = (*env)->NewGlobalRef(env, (*env)->NewStringUTF(env, "lock"));
    pthread_key_create(&key, destroyed);
    ends("native destructor");
    ends("native");
    ends("native owner");
    ends("native exception");
    (*env)->CallStaticVoidMethod(env, seen, (*env)->GetStaticMethodID(env, seen, "look", "()V"));
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionDescribe(env);
    }
    for (int i = 0; i < 20; i++) {
        ends("native destructor");
    }
    collects(env, "end");
    printf("destroy %d\n", (*vm)->DestroyJavaVM(vm));
    return 0;
}
C
"$JAVAC" Seen.java 2>/dev/null
gcc -O1 -Wall -o ends ends.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -L"$JAVA_HOME/lib/server" -ljvm -lpthread -Wl,-rpath,"$JAVA_HOME/lib/server"
# shellcheck disable=SC2086
timeout -s KILL 100 ./ends $VM_OPTIONS
echo "exit $?"
