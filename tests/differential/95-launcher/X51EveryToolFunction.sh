# Every JVM TI function with nothing but zeros, in each phase, without and with capabilities, for a disposed environment; then with one null at a time.
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static int early;
typedef jint (*F)(jvmtiEnv *, void *, void *, void *, void *, void *, void *, void *);
// Reserved; those that act on the caller itself, that would end the environment, or whose zeros mean something.
static int is_left_out(int n, int with) {
    static const int reserved[] = {1, 67, 105, 113, 117, 118, 119, 141}, acts[] = {5, 6, 7, 8, 80, 86, 108, 127, 0};
    for (int i = 0; i < 8; i++) if (reserved[i] == n) return 1;
    if (with) for (int i = 0; acts[i]; i++) if (acts[i] == n) return 1;
    return n == 127;
}
static void all(const char *when, int with) {
    printf("%s\n", when);
    for (int n = 1; n <= 156; n++) {
        if (is_left_out(n, with)) continue;
        F f = ((F *) *ti)[n - 1];
        printf(" %d:%d", n, f(ti, 0, 0, 0, 0, 0, 0, 0));
        if (n % 12 == 0) printf("\n");
        fflush(stdout);
    }
    printf("\n");
    fflush(stdout);
}
// Arguments that are right, by letter as below; what is written to goes to a place of its own.
static const struct { int n; const char *args; } typed[] = {
    {2, "nn."}, {3, "pp"}, {4, "pp"}, {9, "tp"}, {10, "tpp"}, {11, "tp"}, {12, "tp.n"}, {13, "pp"}, {14, "op"}, {15, "opppp"}, {16, "tp"}, {17, "tp"}, {18, "p"},
    {19, "tnpp"}, {20, "tN"}, {21, "tNnp"}, {21, "tnnp"}, {22, "tnnp"}, {23, "tnnp"}, {24, "tnnp"}, {25, "tnnp"}, {26, "tNno"}, {27, "tNnn"}, {28, "tNnn"}, {29, "tNnn"}, {30, "tNnn"},
    {31, "pp"}, {38, "Mn"}, {39, "Mn"}, {40, ".pp"}, {41, "cF"}, {42, "cF"}, {43, "cF"}, {44, "cF"}, {45, "cp"}, {46, "np"}, {48, "cpp"}, {48, "c.."}, {49, "cp"},
    {50, "cp"}, {51, "cp"}, {52, "cpp"}, {53, "cpp"}, {54, "cpp"}, {55, "cp"}, {56, "cp"}, {57, "cp"}, {58, "op"}, {59, "op"}, {60, "cFppp"}, {60, "cF..."}, {61, "cFp"},
    {62, "cFp"}, {63, "cFp"}, {64, "Mppp"}, {64, "M..."}, {65, "Mp"}, {66, "Mp"}, {68, "Mp"}, {69, "Mp"}, {70, "Mpp"}, {71, "Mpp"}, {72, "Mpp"}, {74, "Np"}, {74, "np"}, {75, "Mpp"},
    {76, "Mp"}, {77, "Mp"}, {78, "pp"}, {79, ".pp"}, {87, "Np"}, {87, "n."}, {88, "p"}, {89, "p"}, {90, "cp"}, {91, "Mp"}, {92, "Npp"}, {93, "Npp"},
    {94, "oo"}, {95, "opo"}, {96, "opo"}, {97, "oc"}, {98, "occ"}, {99, "op"}, {100, "Npp"}, {101, "Npnp"}, {101, "npNp"}, {102, "tp"}, {104, "tnNpp"}, {106, "op"}, {107, "on"},
    {109, "op."}, {111, "np."}, {112, "cnp."}, {114, "Npppp"}, {115, "n..p."}, {116, "n.p."}, {121, "p"}, {122, ".N"}, {124, "pp"}, {125, "pp"}, {128, "np"}, {128, "Np"}, {129, "p"},
    {130, "pp"}, {131, "pp"}, {133, "p"}, {134, "p"}, {135, "p"}, {136, "p"}, {137, "tp"}, {138, "p"}, {139, "p"}, {140, "p"}, {144, "p"}, {145, "cpp"}, {146, "cppp"}, {147, "p"},
    {149, "p"}, {151, "p"}, {152, "Np"}, {152, "np"}, {153, "tpp"}, {154, "op"}, {155, "tnp"}, {155, "tNp"}, {156, "N"}};
static void one_null(JNIEnv *env, jthread t) {
    static char places[8][65536];
    jclass c = (*env)->FindClass(env, "Main");
    void *m = (*env)->GetStaticMethodID(env, c, "main", "([Ljava/lang/String;)V"), *f = (*env)->GetStaticFieldID(env, c, "field", "I");
    for (int i = 0; i < sizeof typed / sizeof typed[0]; i++) {
        int n = typed[i].n, length = strlen(typed[i].args);
        F call = ((F *) *ti)[n - 1];
        printf(" %d%s", n, typed[i].args);
        for (int without = 0; without < length; without++) {
            void *a[7] = {0};
            char l = typed[i].args[without];
            // Only what must be there, but for numbers that must not be negative: those are so in the first round.
            if (!strchr("pcMFo", l) && !(without == 0 && strchr(typed[i].args, 'N'))) continue;
            if (n == 46 && l != 'p') continue;
            for (int k = 0; k < length; k++) {
                char is = typed[i].args[k];
                memset(places[k], 0, sizeof places[k]);
                a[k] = is == 'p' ? places[k] : is == 'c' || is == 'o' ? (void *) c : is == 'M' ? m : is == 'F' ? f : is == 't' ? (void *) t : is == 'N' ? (void *) -1L : 0;
            }
            if (strchr("pcMFo", l)) a[without] = 0;
            printf(" %d", call(ti, a[0], a[1], a[2], a[3], a[4], a[5], a[6]));
        }
        if (i % 8 == 7) printf("\n");
        fflush(stdout);
    }
    printf("\n");
    (*env)->ExceptionClear(env);
}
static void JNICALL start(jvmtiEnv *e, JNIEnv *env) { all("start", 0); }
static void JNICALL init(jvmtiEnv *e, JNIEnv *env, jthread t) {
    jvmtiCapabilities c;
    if (early) {
        one_null(env, t);
        (*ti)->DisposeEnvironment(ti);
        all("disposed", 0);
        return;
    }
    all("live", 0);
    for (int n = 48; n < 90; n++) printf(" %d:%d", n, (*ti)->GenerateEvents(ti, n));
    printf("\n");
    memset(&c, 0, sizeof c);
    printf("potential %d", (*ti)->GetPotentialCapabilities(ti, &c));
    printf(" add %d\n", (*ti)->AddCapabilities(ti, &c));
    all("live, with capabilities", 1);
    (*ti)->GetCapabilities(ti, &c);
    printf("relinquish %d\n", (*ti)->RelinquishCapabilities(ti, &c));
    fflush(stdout);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
}
static void JNICALL death(jvmtiEnv *e, JNIEnv *env) { all("death", 0); }
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    jvmtiEventCallbacks cb;
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_11);
    memset(&cb, 0, sizeof cb);
    cb.VMStart = start;
    cb.VMInit = init;
    cb.VMDeath = death;
    (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_START, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    if (o) {
        jvmtiCapabilities c;
        early = 1;
        (*ti)->GetPotentialCapabilities(ti, &c);
        c.can_generate_early_vmstart = c.can_generate_early_class_hook_events = c.can_generate_compiled_method_load_events = 0;
        printf("add %d\n", (*ti)->AddCapabilities(ti, &c));
        (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_VM_START, NULL);
        (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_VM_DEATH, NULL);
    } else {
        all("load", 0);
        (*ti)->SetEventCallbacks(ti, &cb, sizeof cb);
    }
    return 0;
}
JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) { if (!early) all("unload", 0); }
C
cat > Main.java <<'J'
public class Main {
    static int field;
    public static void main(String[] a) {
        System.out.println("main");
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp . Main 2>&1 | grep -v warning
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so=early -cp . Main 2>&1 | grep -v warning
