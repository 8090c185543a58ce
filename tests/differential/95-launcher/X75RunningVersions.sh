# Frames of versions of a class that is redefined: which are obsolete, where breakpoints stop them, and their steps,
# entries, exits and pops. All natives are functions of the agent's library, which nobody loads.
# timeout: 120
mkdir one two three
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
static jmethodID stepped;
static int is_ours(jmethodID m) {
    jclass c; char *s; (*ti)->GetMethodDeclaringClass(ti, m, &c); (*ti)->GetClassSignature(ti, c, &s, 0);
    return !strcmp(s, "LT;");
}
static void told(const char *what, jmethodID m, int at) {
    char *s; if (!is_ours(m)) return;
    (*ti)->GetMethodName(ti, m, &s, 0, 0); jboolean o; (*ti)->IsMethodObsolete(ti, m, &o);
    printf("%s %s%s", what, s, o ? " (obsolete)" : ""); if (at >= 0) printf(" %d", at); puts(""); fflush(stdout);
}
static void JNICALL on_break(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jlocation l) { told("breakpoint", m, (int) l); }
static void JNICALL on_step(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jlocation l) { told("step", m, (int) l); }
static void JNICALL on_entry(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m) { told("entry", m, -1); }
static void JNICALL on_exit(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jboolean x, jvalue v) { told("exit", m, -1); }
static void JNICALL on_pop(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jboolean x) { told("pop", m, -1); }
static void JNICALL on_access(jvmtiEnv *t, JNIEnv *e, jthread h, jmethodID m, jlocation l, jclass c, jobject o, jfieldID f) { told("access", m, (int) l); }
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c);
    c.can_redefine_classes = c.can_generate_breakpoint_events = c.can_generate_single_step_events = 1;
    c.can_generate_method_entry_events = c.can_generate_method_exit_events = c.can_generate_frame_pop_events = 1;
    c.can_generate_field_access_events = c.can_pop_frame = c.can_get_line_numbers = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c)); fflush(stdout);
    jvmtiEventCallbacks b; memset(&b, 0, sizeof b);
    b.Breakpoint = on_break; b.SingleStep = on_step; b.MethodEntry = on_entry; b.MethodExit = on_exit; b.FramePop = on_pop; b.FieldAccess = on_access;
    (*ti)->SetEventCallbacks(ti, &b, sizeof b);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL);
    return 0;
}
JNIEXPORT void JNICALL Java_Main_redefine(JNIEnv *e, jclass k, jclass c, jbyteArray b) {
    jvmtiClassDefinition d = {c, (*e)->GetArrayLength(e, b), (unsigned char *) (*e)->GetByteArrayElements(e, b, 0)};
    printf("redefine %d\n", (*ti)->RedefineClasses(ti, 1, &d)); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_frames(JNIEnv *e, jclass k) {
    jvmtiFrameInfo f[20]; jint n; (*ti)->GetStackTrace(ti, NULL, 0, 20, f, &n);
    for (int i = 0; i < n; i++) {
        char *s; jboolean o; jclass c; jint count; jmethodID *all; int in = 0, line = -1;
        (*ti)->GetMethodName(ti, f[i].method, &s, 0, 0);
        (*ti)->IsMethodObsolete(ti, f[i].method, &o);
        (*ti)->GetMethodDeclaringClass(ti, f[i].method, &c); (*ti)->GetClassMethods(ti, c, &count, &all);
        for (int j = 0; j < count; j++) in |= all[j] == f[i].method;
        jvmtiLineNumberEntry *rows; jint length;
        if (!(*ti)->GetLineNumberTable(ti, f[i].method, &length, &rows))
            for (int j = 0; j < length; j++) if (rows[j].start_location <= f[i].location) line = rows[j].line_number;
        printf("  %s obsolete=%d in_class=%d line %d\n", s, o, in, line);
    }
    fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_at(JNIEnv *e, jclass k, jstring name, jint at, jboolean on) {
    const char *s = (*e)->GetStringUTFChars(e, name, 0);
    jmethodID m = (*e)->GetStaticMethodID(e, (*e)->FindClass(e, "T"), s, "()V");
    printf("%s %s %d: %d\n", on ? "set" : "clear", s, at, on ? (*ti)->SetBreakpoint(ti, m, at) : (*ti)->ClearBreakpoint(ti, m, at)); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_tell(JNIEnv *e, jclass k, jint what, jboolean on) {
    jvmtiEvent event = what == 0 ? JVMTI_EVENT_SINGLE_STEP : what == 1 ? JVMTI_EVENT_METHOD_ENTRY : what == 2 ? JVMTI_EVENT_METHOD_EXIT : JVMTI_EVENT_FIELD_ACCESS;
    if (what == 3) { jclass t = (*e)->FindClass(e, "T"); (*ti)->SetFieldAccessWatch(ti, t, (*e)->GetStaticFieldID(e, t, "x", "I")); }
    (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL);
}
JNIEXPORT void JNICALL Java_Main_pop(JNIEnv *e, jclass k, jint depth) { printf("pop asked: %d\n", (*ti)->NotifyFramePop(ti, NULL, depth)); fflush(stdout); }
C
body() {
    cat <<J
public class T {
    static int x;
    static Runnable first = () -> { if (x == $1) Main.frames(); };
    static void changed() {
        $2
        Main.action.run();
        x++;
    }
    static void outer() {
        switch (x) { case 5: x = 6; default: x = 5; }
        try { changed(); x += 2; } catch (IllegalStateException | ClassCastException e) { x = "caught".length(); }
        Main.action.run();
        Runnable r = () -> x += 3;
        r.run();
        if ($3) x = x * 2 + 1_000_000;
    }
    static void loop() {
        for (;;) if (++x > 3) return;
    }
    static void named() {
        Main.text = "version $1";
        Main.action.run();
    }
    static void last() {
        Main.action.run();
        if (x > 0) return;
        x = 1;
    }
    static void catches() {
        try { Main.action.run(); } catch ($4 e) { x = 1; }
    }
    static void guards() {
        $5 Main.action.run(); $6 x++; } catch (RuntimeException e) { x = 1; }
    }
}
J
}
body 100 "" "x < 0" "IllegalStateException | ClassCastException" "" "try {" > one/T.java
body 77777 "long l = 1234567890123L; double d = l * 2.5; if (d < 0) throw new IllegalStateException(\"\" + l);" "x < 0" IllegalArgumentException "try {" "" > two/T.java
body 77777 "" "x > 9" IllegalArgumentException "try {" "" > three/T.java
cat > Main.java <<'J'
import java.nio.file.Files;
import java.nio.file.Path;

public class Main {
    static native void redefine(Class<?> c, byte[] b);
    static native void frames();
    static native void at(String method, int bci, boolean on);
    static native void tell(int what, boolean on);
    static native void pop(int depth);
    static Runnable action = () -> { };
    static String text;
    static void redefine(String version) {
        try {
            redefine(T.class, Files.readAllBytes(Path.of(version + "/T.class")));
        } catch (java.io.IOException e) { throw new AssertionError(e); }
    }
    static void run(String title, Runnable body, Runnable... actions) {
        System.out.println("-- " + title);
        var left = java.util.List.of(actions).iterator();
        action = () -> { if (left.hasNext()) left.next().run(); };
        body.run();
        action = () -> { };
        T.x = 0;
    }
    public static void main(String[] args) {
        run("breakpoints go", () -> {
            at("loop", 0, true); at("last", 0, true);
            T.loop(); T.last();
            redefine("two");
            T.loop(); T.last();
            at("loop", 0, true); at("loop", 0, true);
            T.loop();
            at("loop", 0, false); at("last", 0, false);
        });
        run("which are obsolete", T::outer, () -> { redefine("one"); frames(); }, () -> { redefine("three"); frames(); });
        run("which are obsolete, again", T::outer, () -> redefine("two"), () -> { redefine("one"); frames(); });
        run("breakpoints in a frame that runs", T::outer,
            () -> { redefine("two"); for (int bci : new int[] {35, 37, 52, 60}) at("outer", bci, true); },
            () -> { at("outer", 52, false); at("outer", 60, false); });
        for (int bci : new int[] {35, 37}) at("outer", bci, false);
        run("and after a change", T::outer,
            () -> { redefine("one"); at("outer", 37, true); redefine("three"); frames(); });
        run("steps", T::outer, () -> { redefine("two"); tell(0, true); tell(1, true); tell(2, true); }, () -> redefine("three"));
        tell(0, false); tell(1, false); tell(2, false);
        run("entries of a loop", () -> { tell(1, true); T.loop(); tell(1, false); });
        run("pops", T::outer, () -> { frames(); pop(5); pop(6); redefine("two"); });
        run("pops where the body stays", T::outer, () -> { pop(5); pop(6); redefine("one"); frames(); });
        run("pops, then a breakpoint at the return", T::last, () -> { pop(5); at("last", 14, true); at("last", 14, false); T.x = 1; });
        run("accesses", T::outer, () -> { tell(3, true); redefine("one"); redefine("three"); });
        run("another text", T::named, () -> { redefine("one"); frames(); });
        run("another range", T::guards, () -> { redefine("two"); frames(); });
        redefine("one");
        run("other handlers", T::catches, () -> { redefine("two"); frames(); });
        run("the same handler", T::catches, () -> { redefine("three"); frames(); });
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" -d . Main.java one/T.java
for v in one two three; do "$JAVAC" -g -cp . -d $v $v/T.java; done
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp one:. Main
