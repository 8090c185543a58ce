# Local variables as tools get and set them, in methods with a table of variables and without: slots that hold nothing yet, or
# one thing by one path and another by the next; halves of wide values; objects of another type than the variable's.
# timeout: 120
cat > agent.c <<'C'
#include <jvmti.h>
#include <stdio.h>
#include <string.h>
static jvmtiEnv *ti;
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *o, void *r) {
    (*vm)->GetEnv(vm, (void **) &ti, JVMTI_VERSION_1_2);
    jvmtiCapabilities c; memset(&c, 0, sizeof c);
    c.can_access_local_variables = 1;
    printf("capabilities %d\n", (*ti)->AddCapabilities(ti, &c)); fflush(stdout);
    return 0;
}
JNIEXPORT void JNICALL Java_Main_look(JNIEnv *e, jclass k, jstring what, jint depth) {
    const char *s = (*e)->GetStringUTFChars(e, what, NULL);
    printf("%s\n", s);
    (*e)->ReleaseStringUTFChars(e, what, s);
    for (int n = -1; n < 12; n++) {
        jint i = 0; jlong l = 0; jfloat f = 0; jdouble d = 0; jobject o = NULL;
        int ci = (*ti)->GetLocalInt(ti, NULL, depth, n, &i), cl = (*ti)->GetLocalLong(ti, NULL, depth, n, &l);
        int cf = (*ti)->GetLocalFloat(ti, NULL, depth, n, &f), cd = (*ti)->GetLocalDouble(ti, NULL, depth, n, &d);
        int co = (*ti)->GetLocalObject(ti, NULL, depth, n, &o);
        printf("  %d: int %d, long %d, float %d, double %d, object %d", n, ci, cl, cf, cd, co);
        // Without a table a number is all of these, and where its halves are is the VM's affair.
        if (ci == 0 && cf != 0) printf(" = %d", i);
        if (cl == 0 && cd != 0) printf(" = %lld", (long long) l);
        if (co == 0) printf(o ? " = an object" : " = null");
        puts("");
    }
    fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_set(JNIEnv *e, jclass k, jint n, jobject o) {
    printf("set %d: object %d\n", n, (*ti)->SetLocalObject(ti, NULL, 1, n, o)); fflush(stdout);
}
JNIEXPORT void JNICALL Java_Main_setNumber(JNIEnv *e, jclass k, jint n, jint i) {
    printf("set %d: int %d", n, (*ti)->SetLocalInt(ti, NULL, 1, n, i));
    printf(", float %d\n", (*ti)->SetLocalFloat(ti, NULL, 1, n, 2.5f)); fflush(stdout);
}
C
cat > Main.java <<'J'
public class Main {
    static native void look(String what, int depth);
    static native void set(int n, Object o);
    static native void setNumber(int n, int i);

    static void parameters(int i, Object o, long l) {
        look("parameters", 1);
        int n = 7;
        Object p = "p";
        long wide = 1L << 40 | 5;
        look("and variables", 1);
        setNumber(0, 42);
        setNumber(1, 43);
        setNumber(4, 44);
        setNumber(8, 45);
        set(5, "q");
        set(0, "q");
        System.out.println(i + " " + o + " " + n + " " + p + " " + wide);
    }
    void receiver(float f) {
        look("receiver", 1);
    }
    static void branches(boolean b) {
        if (b) {
            int n = 5;
            long l = 6;
            look("one branch", 1);
        } else {
            Object o = "o";
            look("the other", 1);
        }
        look("behind both", 1);
    }
    static void reused() {
        {
            Object o = "o", p = "p";
            look("references", 1);
        }
        long l = 1L << 40 | 6;
        look("a number in their place", 1);
    }
    static void fail() {
        throw new RuntimeException();
    }
    static void handler() {
        int n = 1;
        try {
            int m = 2;
            fail();
            int k = 3;
        } catch (RuntimeException e) {
            look("handler", 1);
        }
    }
    static void loop() {
        for (int i = 0; i < 2; i++) {
            look("loop " + i, 1);
            Object later = i;
        }
    }
    static void caller(Object o) {
        int n = callee();
        look("behind a call", 1);
    }
    static int callee() {
        look("the caller", 2);
        return 9;
    }
    static void types(String s, Number number, Number[] array, Comparable<?> c, int[] ints, Object any, Runnable r) {
        set(0, 1);
        set(2, new Integer[1]);
        set(2, new String[1]);
        set(2, new int[1]);
        set(3, "compares");
        set(3, new Object());
        set(4, new int[2]);
        set(4, new long[2]);
        set(5, new int[3][]);
        set(6, new Thread());
        set(6, "runs");
        System.out.println(s + " " + number + " " + array.length + " " + c + " " + ints.length + " " + any.getClass());
    }

    public static void main(String[] args) {
        parameters(1, "o", 1L << 40 | 2);
        new Main().receiver(1.5f);
        branches(true);
        branches(false);
        reused();
        handler();
        loop();
        caller("o");
        if (args.length > 0) types("s", 1, new Number[0], 1, new int[0], 1, () -> { });
    }
}
J
gcc -O1 -w -shared -fPIC -o libagent.so agent.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux"
"$JAVAC" -d bare Main.java
"$JAVAC" -g -d tabled Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp bare Main
"$JAVA_HOME/bin/java" $VM_OPTIONS -agentpath:$PWD/libagent.so -cp tabled Main types
