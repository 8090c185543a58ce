# What becomes of exceptions between Java and C code that call each other by the foreign linker, and of a VM that ends there.
cat > odd.c <<'C'
#include <jni.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
typedef int64_t w;
int64_t number(int64_t (*f)(int64_t), int64_t n) { int64_t r = f(n); (void) r; return n + 1; }
void nothing(void (*f)(int64_t), int64_t n) { f(n); }
int64_t wide(int64_t (*f)(w, w, w, w, w, w, w, w), int64_t n) { int64_t r = f(n, 2, 3, 4, 5, 6, 7, 8); (void) r; return n + 2; }
static int64_t (*function)(int64_t);
static void *body(void *n) { function((int64_t) n); return NULL; }
void in_thread(int64_t (*f)(int64_t), int64_t n) {
    pthread_t t;
    function = f;
    pthread_create(&t, NULL, body, (void *) n);
    pthread_join(t, NULL);
}
static JNIEnv *environment(void) {
    JavaVM *vm;
    JNIEnv *env = NULL;
    jsize n;
    JNI_GetCreatedJavaVMs(&vm, 1, &n);
    (*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_10);
    return env;
}
int32_t throws(int32_t n) {
    JNIEnv *env = environment();
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/ArithmeticException"), "from C");
    return n;
}
int32_t references(int32_t n) {
    JNIEnv *env = environment();
    int32_t r = 0;
    for (int32_t i = 0; i < n; i++) r += (*env)->GetStringLength(env, (*env)->NewStringUTF(env, "local"));
    return r;
}
C
cat > E.java <<'J'
import static jdk.incubator.foreign.CLinker.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import jdk.incubator.foreign.*;

public class E {
    static final ResourceScope SCOPE = ResourceScope.newSharedScope();
    static String what;

    static MethodHandle down(String name, MethodType t) {
        return CLinker.getInstance().downcallHandle(SymbolLookup.loaderLookup().lookup(name).get(), t, of(t));
    }
    static MemoryAddress up(String name, MethodType t) throws Exception {
        return CLinker.getInstance().upcallStub(MethodHandles.lookup().findStatic(E.class, name, t), of(t), SCOPE);
    }
    static MemoryLayout layout(Class<?> c) { return c == int.class ? C_INT : c == long.class ? C_LONG : C_POINTER; }
    static FunctionDescriptor of(MethodType t) {
        MemoryLayout[] p = t.parameterList().stream().map(E::layout).toArray(MemoryLayout[]::new);
        return t.returnType() == void.class ? FunctionDescriptor.ofVoid(p) : FunctionDescriptor.of(layout(t.returnType()), p);
    }

    static long number(long n) throws Exception {
        act(n);
        return -n;
    }
    static void nothing(long n) throws Exception { act(n); }
    static long wide(long a, long b, long c, long d, long e, long f, long g, long h) throws Exception {
        act(a);
        return b + c + d + e + f + g + h;
    }
    static void act(long n) throws Exception {
        System.out.println("act " + n);
        switch (what) {
            case "throw": throw new IllegalStateException("thrown");
            case "caught":
                try {
                    Object[] none = null;
                    none[0] = "x";
                } catch (NullPointerException e) {
                    System.out.println("caught");
                }
                break;
            case "trace":
                for (StackTraceElement e : new Throwable().getStackTrace()) System.out.println("  " + e);
                break;
            case "exit": System.exit(7); break;
            case "halt": Runtime.getRuntime().halt(8); break;
            default: System.gc();
        }
    }

    public static void main(String[] args) throws Throwable {
        System.load(Path.of("libodd.so").toAbsolutePath().toString());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        String name = args[0];
        Class<?> l = long.class;
        MethodType through = MethodType.methodType(long.class, MemoryAddress.class, long.class);
        for (int i = 1; i < args.length; i++) {
            what = args[i];
            try {
                switch (name) {
                    case "number" -> System.out.println((long) down(name, through).invokeExact(up(name, MethodType.methodType(l, l)), (long) i));
                    case "nothing" -> down(name, through.changeReturnType(void.class)).invokeExact(up(name, MethodType.methodType(void.class, l)), (long) i);
                    case "wide" -> System.out.println((long) down(name, through).invokeExact(up(name, MethodType.methodType(l, l, l, l, l, l, l, l, l)), (long) i));
                    case "in_thread" -> down(name, through.changeReturnType(void.class)).invokeExact(up("number", MethodType.methodType(l, l)), (long) i);
                    default -> System.out.println((int) down(name, MethodType.methodType(int.class, int.class)).invokeExact(1000));
                }
            } catch (Throwable t) {
                System.out.println("main got " + t);
            }
        }
        System.out.println("end of main");
    }
}
J
"$JAVAC" --add-modules jdk.incubator.foreign -nowarn E.java 2> /dev/null
gcc -O1 -Wall -shared -fPIC -o libodd.so odd.c -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -L"$JAVA_HOME/lib/server" -ljvm -lpthread
ulimit -c 0
# How the VM shows the exception and the crash is its own affair.
run() {
    echo "== $*"
    # shellcheck disable=SC2086
    { "$JAVA_HOME/bin/java" $VM_OPTIONS --add-modules jdk.incubator.foreign --enable-native-access=ALL-UNNAMED -cp . "$@" > out 2> err; } 2> /dev/null
    echo "exit $?"
    cat err >&2
    sed '/^#/,$d; /^java.lang/!b; s/[ :].*//; q' out
}
for name in number nothing wide in_thread; do
    run E $name collect caught trace
    run E $name throw
done
for name in number in_thread; do
    run E $name exit
    run E $name halt
done
run E throws twice twice
run E references twice twice
run -Djdk.internal.foreign.ProgrammableUpcallHandler.USE_SPEC=false E number throw
run -Djdk.internal.foreign.ProgrammableUpcallHandler.USE_INTRINSICS=false E number throw
run -Djdk.internal.foreign.ProgrammableUpcallHandler.USE_INTRINSICS=false E in_thread throw
