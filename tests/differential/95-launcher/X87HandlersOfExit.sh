# What C runs when the process ends finds a VM that takes nobody in, whichever way it ends.
cat > exits.c <<'C'
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>
static JavaVM *vm;
static void handler(void) {
    void *env = &vm;
    printf("GetEnv %d", (*vm)->GetEnv(vm, &env, JNI_VERSION_1_6));
    printf(" %s", env ? "env" : "null");
    printf(", attach %d", (*vm)->AttachCurrentThread(vm, &env, NULL));
    printf(", as daemon %d", (*vm)->AttachCurrentThreadAsDaemon(vm, &env, NULL));
    printf(", detach %d", (*vm)->DetachCurrentThread(vm));
    JavaVM *found = NULL;
    jsize n = -1;
    printf(", created %d", JNI_GetCreatedJavaVMs(&found, 1, &n));
    printf(" %d %d", n, found == vm);
    JavaVMInitArgs args = { JNI_VERSION_1_6, 0, NULL, JNI_FALSE };
    printf(", default %d", JNI_GetDefaultJavaVMInitArgs(&args));
    printf(", destroy %d", (*vm)->DestroyJavaVM(vm));
    printf(", create %d\n", JNI_CreateJavaVM(&found, &env, &args));
    fflush(stdout);
}
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *v, void *r) {
    vm = v;
    atexit(handler);
    return JNI_VERSION_1_6;
}
C
cat > Main.java <<'J'
public class Main {
    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        Thread busy = new Thread(() -> { for (;;) Integer.toString(7); });
        busy.setDaemon(true);
        busy.start();
        switch (args[1]) {
            case "exit": System.exit(3);
            case "halt": Runtime.getRuntime().halt(4);
            case "hook": Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(5))); System.exit(3);
            case "thread":
                Thread t = new Thread(() -> System.exit(6));
                t.start();
                Thread.sleep(100_000);
            case "throw": throw new Exception("out of main");
            default:
        }
    }
}
J
gcc -O1 -w -shared -fPIC -o libexits.so exits.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -L"$JAVA_HOME/lib/server" -ljvm
"$JAVAC" Main.java 2> /dev/null
for how in exit halt hook thread throw return; do
    "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Main $PWD/libexits.so $how
    echo "$how $?"
done
