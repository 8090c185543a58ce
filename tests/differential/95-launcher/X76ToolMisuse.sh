# What tools are told when they ask for what is not there: search paths that are no jars, methods and fields of a class that
# was unloaded, monitors that are none, or another thread's.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static jmethodID method;
static jfieldID field;
static jrawMonitorID monitor;
static void search(const char *when, const char *what) {
    printf("%s, %s: system %d", when, what, (*ti)->AddToSystemClassLoaderSearch(ti, what));
    printf(", boot %d\n", (*ti)->AddToBootstrapClassLoaderSearch(ti, what)); fflush(stdout);
}
static void JNICALL ready(jvmtiEnv *t, JNIEnv *e, jthread h) {
    const char *all[] = {"missing.jar", "agent.c", ".", "empty", "good.jar"};
    for (int i = 0; i < 5; i++) search("live", all[i]);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c); c.can_get_synthetic_attribute = c.can_get_line_numbers = 1;
    (*ti)->AddCapabilities(ti, &c);
    jvmtiEventCallbacks b; memset(&b, 0, sizeof b); b.VMInit = ready;
    (*ti)->SetEventCallbacks(ti, &b, sizeof b);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    search("load", "missing.jar");
    return 0;
}
JNIEXPORT void JNICALL Java_Main_keep(JNIEnv *e, jclass k, jclass c) {
    jint n; jmethodID *m; jfieldID *f;
    (*ti)->GetClassMethods(ti, c, &n, &m); method = m[0];
    (*ti)->GetClassFields(ti, c, &n, &f); field = f[0];
}
JNIEXPORT void JNICALL Java_Main_ask(JNIEnv *e, jclass k) {
    char *s; jint n; jclass c; jboolean b; jlocation l, m; jvmtiLineNumberEntry *rows;
    printf("name %d\n", (*ti)->GetMethodName(ti, method, &s, 0, 0));
    printf("class %d\n", (*ti)->GetMethodDeclaringClass(ti, method, &c));
    printf("modifiers %d\n", (*ti)->GetMethodModifiers(ti, method, &n));
    printf("locals %d\n", (*ti)->GetMaxLocals(ti, method, &n));
    printf("lines %d\n", (*ti)->GetLineNumberTable(ti, method, &n, &rows));
    printf("location %d\n", (*ti)->GetMethodLocation(ti, method, &l, &m));
    printf("native %d\n", (*ti)->IsMethodNative(ti, method, &b));
    printf("synthetic %d\n", (*ti)->IsMethodSynthetic(ti, method, &b));
    fflush(stdout);
}
static void all(const char *when, jrawMonitorID m) {
    printf("%s: enter %d", when, (*ti)->RawMonitorEnter(ti, m)); printf(", wait %d", (*ti)->RawMonitorWait(ti, m, 1));
    printf(", notify %d", (*ti)->RawMonitorNotify(ti, m)); printf(", all %d", (*ti)->RawMonitorNotifyAll(ti, m));
    printf(", exit %d", (*ti)->RawMonitorExit(ti, m)); printf(", exit %d", (*ti)->RawMonitorExit(ti, m));
    printf(", destroy %d\n", (*ti)->DestroyRawMonitor(ti, m)); fflush(stdout);
}
static long long zeros[64];
JNIEXPORT void JNICALL Java_Main_monitors(JNIEnv *e, jclass k) {
    all("zeros", (jrawMonitorID) zeros);
    jrawMonitorID m;
    (*ti)->CreateRawMonitor(ti, "one", &m); all("one", m);
    (*ti)->CreateRawMonitor(ti, "two", &m);
    printf("owned: %d", (*ti)->RawMonitorEnter(ti, m)); printf(" %d", (*ti)->RawMonitorEnter(ti, m));
    printf(" %d\n", (*ti)->DestroyRawMonitor(ti, m)); fflush(stdout);
    (*ti)->CreateRawMonitor(ti, "three", &monitor); (*ti)->RawMonitorEnter(ti, monitor);
}
JNIEXPORT void JNICALL Java_Main_destroy(JNIEnv *e, jclass k) { printf("another's: %d\n", (*ti)->DestroyRawMonitor(ti, monitor)); fflush(stdout); }
JNIEXPORT void JNICALL Java_Main_leave(JNIEnv *e, jclass k) {
    printf("left: %d", (*ti)->RawMonitorExit(ti, monitor)); printf(" %d\n", (*ti)->DestroyRawMonitor(ti, monitor)); fflush(stdout);
}
C
cat > Main.java <<'J'
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;

public class Main {
    static native void keep(Class<?> c);
    static native void ask();
    static native void monitors();
    static native void destroy();
    static native void leave();

    static WeakReference<Class<?>> load() throws Exception {
        URL here = Main.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
            Class<?> c = Class.forName("Gone", true, loader);
            keep(c);
            ask();
            return new WeakReference<>(c);
        }
    }
    public static void main(String[] args) throws Exception {
        WeakReference<Class<?>> gone = load();
        for (int i = 0; gone.get() != null && i < 100; i++) { System.gc(); Thread.sleep(10); }
        System.out.println("unloaded: " + (gone.get() == null));
        System.gc();
        ask();
        monitors();
        Thread t = new Thread(Main::destroy);
        t.start();
        t.join();
        leave();
        System.out.println(System.getProperty("java.class.path"));
    }
}
J
cat > Gone.java <<'J'
public class Gone { int f; static int m(int x) { return x; } }
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
mkdir classes
: > empty
"$JAVAC" -d classes Main.java Gone.java
"$ORACLE_HOME/bin/jar" cfM good.jar agent.c
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp classes Main 2>&1 | grep -v 'Sharing is only supported'
