# What a C program gets that ends the VM in odd ways: with an exception pending, with hooks that throw or halt,
# from another thread; and what it gets from the VM afterwards.
cat > Hooks.java <<'J'
public class Hooks {
    static void add(String what) {
        Runtime r = Runtime.getRuntime();
        r.addShutdownHook(new Thread(() -> {
            System.out.println("hook " + what);
            switch (what) {
                case "throw":
                    throw new IllegalStateException("in a hook");
                case "halt":
                    r.halt(9);
                    break;
                case "add":
                    try {
                        r.addShutdownHook(new Thread());
                    } catch (IllegalStateException e) {
                        System.out.println(e.getMessage());
                    }
                    break;
                case "threads":
                    new Thread(() -> {
                        try {
                            Thread.sleep(1_000_000);
                        } catch (InterruptedException e) {
                            System.out.println(e);
                        }
                    }).start();
                    break;
                default:
                    System.gc();
            }
            System.out.println("end of hook");
        }, "H"));
    }

    static int sum;

    static int add(int n) {
        return sum += n;
    }
}
J
cat > odd.c <<'C'
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static JavaVM *vm;
static jclass hooks;
static volatile int stage;
/* Attached before the end, at work after it. */
static void *late(void *arg) {
    JNIEnv *env = NULL, *again = NULL;
    (*vm)->AttachCurrentThreadAsDaemon(vm, (void **) &env, NULL);
    jmethodID m = (*env)->GetStaticMethodID(env, hooks, "add", "(I)I");
    stage = 1;
    while (stage < 2) {
        usleep(1000);
    }
    printf("late getenv %d %d\n", (*vm)->GetEnv(vm, (void **) &again, JNI_VERSION_10), again != NULL);
    printf("late attach %d\n", (*vm)->AttachCurrentThread(vm, (void **) &again, NULL));
    stage = 3;
    printf("late call %d\n", (*env)->CallStaticIntMethod(env, hooks, m, 1));
    return arg;
}
static void *destroy(void *arg) {
    printf("destroy %d\n", (*vm)->DestroyJavaVM(vm));
    return arg;
}
static void list(void) {
    JavaVM *all[2];
    jint n = -1;
    jint r = JNI_GetCreatedJavaVMs(all, 2, &n);
    printf("VMs %d %d\n", r, n);
}
int main(int argc, char **argv) {
    const char *what = argv[1];
    JNIEnv *env, *env2 = NULL;
    JavaVM *vm2 = NULL;
    JavaVMOption option = {.optionString = "-Djava.class.path=."};
    JavaVMInitArgs args = {.version = JNI_VERSION_10, .nOptions = 1, .options = &option};
    pthread_t t;
    setvbuf(stdout, NULL, _IONBF, 0);
    list();
    printf("create %d\n", JNI_CreateJavaVM(&vm, (void **) &env, &args));
    list();
    printf("create %d\n", JNI_CreateJavaVM(&vm2, (void **) &env2, &args));
    hooks = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "Hooks"));
    jmethodID add = (*env)->GetStaticMethodID(env, hooks, "add", "(Ljava/lang/String;)V");
    (*env)->CallStaticVoidMethod(env, hooks, add, (*env)->NewStringUTF(env, what));
    if (strcmp(what, "late") == 0 && pthread_create(&t, NULL, late, NULL) == 0) {
        while (stage < 1) {
            usleep(1000);
        }
    }
    if (strcmp(what, "pending") == 0) {
        (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/RuntimeException"), "left pending");
    }
    if (strcmp(what, "other") == 0) {
        printf("detach %d\n", (*vm)->DetachCurrentThread(vm));
        if (pthread_create(&t, NULL, destroy, NULL) == 0) {
            pthread_join(t, NULL);
        }
    } else {
        destroy(NULL);
    }
    stage = 2;
    if (strcmp(what, "late") == 0) {
        while (stage < 3) {
            usleep(1000);
        }
        usleep(100000);
    }
    list();
    printf("create %d\n", JNI_CreateJavaVM(&vm2, (void **) &env2, &args));
    env2 = env;
    printf("getenv %d", (*vm)->GetEnv(vm, (void **) &env2, JNI_VERSION_10));
    printf(" %d\n", env2 != NULL);
    return 3;
}
C
"$JAVAC" Hooks.java
gcc -O1 -Wall -o odd odd.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -L"$JAVA_HOME/lib/server" -ljvm -lpthread -Wl,-rpath,"$JAVA_HOME/lib/server"
for what in plain throw halt add threads pending other late; do
  echo "== $what"
  timeout -s KILL 60 ./odd $what
  echo "exit $?"
done
