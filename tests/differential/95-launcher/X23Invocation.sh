# A C program makes the VM and ends it: daemons stand still from there on, nobody comes in any more. One of its
# threads forgets to detach.
cat > Ticking.java <<'J'
import java.nio.ByteBuffer;

public class Ticking {
    static final ByteBuffer ticks = ByteBuffer.allocateDirect(8);

    static ByteBuffer start() {
        for (int i = 0; i < 2; i++) {
            int at = 4 * i;
            Thread t = new Thread(() -> {
                for (int n = 1; ; n++) {
                    ticks.putInt(at, n);
                    if (at == 4) new Object().hashCode();
                }
            });
            t.setDaemon(true);
            t.start();
        }
        for (int i = 0; i < 5; i++) System.gc();
        while (ticks.getInt(0) == 0 || ticks.getInt(4) == 0) Thread.yield();
        return ticks;
    }
}
J
cat > invoke.c <<'C'
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static JavaVM *vm;
static void *attach(void *arg) {
    JNIEnv *env = NULL;
    printf("%s: attach %d", (const char *) arg, (*vm)->AttachCurrentThread(vm, (void **) &env, NULL));
    if (env != NULL) {
        printf(", detach %d", (*vm)->DetachCurrentThread(vm));
    }
    printf("\n");
    return NULL;
}
static void elsewhere(const char *when) {
    pthread_t t;
    if (pthread_create(&t, NULL, attach, (void *) when) == 0) {
        pthread_join(t, NULL);
    }
}
static void *forget(void *arg) {
    JNIEnv *env = NULL;
    printf("as a daemon: %d\n", (*vm)->AttachCurrentThreadAsDaemon(vm, (void **) &env, NULL));
    return arg;
}
/* On a stack that is gone after it. */
static void forgetful(void) {
    size_t size = 1 << 20;
    void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstack(&a, stack, size);
    pthread_t t;
    if (pthread_create(&t, &a, forget, NULL) == 0) {
        pthread_join(t, NULL);
    }
    munmap(stack, size);
}
int main(void) {
    JNIEnv *env;
    JavaVMOption option = {.optionString = "-Djava.class.path=."};
    JavaVMInitArgs args = {.version = JNI_VERSION_10, .nOptions = 1, .options = &option};
    printf("create %d\n", JNI_CreateJavaVM(&vm, (void **) &env, &args));
    forgetful();
    jclass c = (*env)->FindClass(env, "Ticking");
    jmethodID m = (*env)->GetStaticMethodID(env, c, "start", "()Ljava/nio/ByteBuffer;");
    jobject b = (*env)->CallStaticObjectMethod(env, c, m);
    volatile jint *ticks = (*env)->GetDirectBufferAddress(env, b);
    elsewhere("running");
    printf("destroy %d\n", (*vm)->DestroyJavaVM(vm));
    printf("detach %d\n", (*vm)->DetachCurrentThread(vm));
    jint before[2], after[2];
    memcpy(before, (const void *) ticks, sizeof before);
    usleep(200000);
    memcpy(after, (const void *) ticks, sizeof after);
    printf("still %d %d\n", before[0] == after[0], before[1] == after[1]);
    elsewhere("ended");
    return 0;
}
C
"$JAVAC" Ticking.java
gcc -O1 -Wall -o invoke invoke.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -L"$JAVA_HOME/lib/server" -ljvm -lpthread -Wl,-rpath,"$JAVA_HOME/lib/server"
timeout 60 ./invoke
echo "exit $?"
