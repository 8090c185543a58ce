# What a C agent may have when it is loaded, when the VM runs, and when it is attached: alone, beside others, after they gave back.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static JavaVM *jvm;
static jvmtiEnv *first;
static void list(const char *what, jvmtiCapabilities *c) {
    unsigned char *b = (void *) c;
    printf(" %s", what);
    // Concord does not tell of compiled methods, nor of what happens before the class library is up.
    for (int i = 0; i < 64; i++) if (b[i / 8] >> (i % 8) & 1) printf(" %d", i);
}
static void show(const char *what, jvmtiEnv *e) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    printf("%s: %d", what, (*e)->GetPotentialCapabilities(e, &c));
    list("may", &c);
    (*e)->GetCapabilities(e, &c);
    list("has", &c);
    printf("\n");
}
static jvmtiCapabilities some(const char *bits) {
    jvmtiCapabilities c;
    memset(&c, 0, sizeof c);
    for (int n; sscanf(bits, "%d", &n) == 1; bits += 3) ((unsigned char *) &c)[n / 8] |= 1 << (n % 8);
    return c;
}
static jvmtiEnv *fresh(void) {
    jvmtiEnv *e;
    (*jvm)->GetEnv(jvm, (void **) &e, JVMTI_VERSION_11);
    return e;
}
static int add(jvmtiEnv *e, const char *bits) { jvmtiCapabilities c = some(bits); return (*e)->AddCapabilities(e, &c); }
static int give_back(jvmtiEnv *e, const char *bits) { jvmtiCapabilities c = some(bits); return (*e)->RelinquishCapabilities(e, &c); }
static void JNICALL started(jvmtiEnv *e, JNIEnv *env, jthread t) {
    show("live, first", first);
    jvmtiEnv *o = fresh();
    show("live, new", o);
    // One by one: 44 has no meaning.
    for (int i = 0; i < 45; i++) {
        char bit[4];
        sprintf(bit, "%02d ", i);
        jvmtiEnv *n = fresh();
        printf(" %d:%d", i, add(n, bit));
        (*n)->DisposeEnvironment(n);
    }
    printf("\nall or nothing %d\n", add(o, "00 16 "));
    show("live, new", o);
    printf("give back %d\n", give_back(first, "19 20 08 "));
    show("live, first", first);
    printf("add %d %d\n", add(o, "20 "), add(o, "19 "));
    show("live, new", o);
    printf("dispose %d\n", (*o)->DisposeEnvironment(o));
    show("live, first", first);
    fflush(stdout);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *opt, void *r) {
    jvm = vm;
    first = fresh();
    show("loaded", first);
    printf("null %d %d\n", (*first)->AddCapabilities(first, NULL), (*first)->GetPotentialCapabilities(first, NULL));
    printf("add %d\n", add(first, opt));
    show("loaded, first", first);
    jvmtiEnv *o = fresh();
    show("loaded, second", o);
    printf("second adds %d %d %d\n", add(o, "19 "), add(o, "24 "), add(o, "44 "));
    printf("give back %d\n", give_back(first, "19 20 "));
    show("loaded, second", o);
    printf("add again %d\n", add(first, opt));
    printf("events %d %d %d %d\n", (*first)->SetEventNotificationMode(first, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL),
           (*first)->SetEventNotificationMode(first, JVMTI_ENABLE, JVMTI_EVENT_MONITOR_WAIT, NULL),
           (*first)->SetEventNotificationMode(first, JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, NULL),
           (*first)->SetEventNotificationMode(first, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL));
    printf("dispose %d\n", (*o)->DisposeEnvironment(o));
    jvmtiEventCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.VMInit = started;
    (*first)->SetEventCallbacks(first, &cb, sizeof cb);
    (*first)->SetEventNotificationMode(first, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    fflush(stdout);
    return 0;
}
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *opt, void *r) {
    jvm = vm;
    first = fresh();
    show("attached", first);
    printf("breakpoints %d\n", add(first, "19 "));
    fflush(stdout);
    return 0;
}
C
cat > Main.java <<'J'
public class Main {
    public static void main(String[] a) throws Exception {
        System.out.println("runs");
        if (a.length == 0) return;
        String[] load = {a[0] + "/bin/jcmd", "" + ProcessHandle.current().pid(), "JVMTI.agent_load", a[1]};
        System.out.println(new ProcessBuilder(load).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor());
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
for o in "19 20 " "02 08 43 34 " "00 "; do
    "$JAVA_HOME/bin/java" $VM_OPTIONS "-agentpath:$PWD/libagent.so=$o" -cp . Main 2>&1 | grep -v warning
done
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Main "$JAVA_HOME" $PWD/libagent.so 2>&1 | grep -v warning
