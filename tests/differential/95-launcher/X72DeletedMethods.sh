# Redefinitions that delete private methods under -XX:+AllowRedefinitionToAddDeleteMethods: what still refers to one, and how
# calls of it end; what refuses to be deleted, and all of it without the flag. -Xbatch: HotSpot may install code that it began to
# compile before the redefinition, in which the method still is.
cat > Agent.java <<'J'
import java.lang.instrument.Instrumentation;

public class Agent {
    static Instrumentation instrumentation;

    public static void premain(String args, Instrumentation i) {
        instrumentation = i;
    }
}
J
cat > Main.java <<'J'
import java.lang.instrument.ClassDefinition;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntSupplier;

public class Main {
    static native void remember();
    static native int callById();

    interface Attempt {
        Object call() throws Throwable;
    }

    /** The first frames of an error, and what it says. */
    static String told(Throwable e) {
        StringBuilder b = new StringBuilder(e.toString());
        StackTraceElement[] trace = e.getStackTrace();
        for (int i = 0; i < Math.min(3, trace.length); i++) b.append(" < ").append(trace[i].getClassName()).append('.').append(trace[i].getMethodName());
        if (e.getCause() != null) b.append(" caused by ").append(told(e.getCause()));
        return b.toString();
    }

    static void attempt(String what, Attempt c) {
        String result;
        try {
            result = String.valueOf(c.call());
        } catch (Throwable e) {
            result = told(e);
        }
        System.out.println("  " + what + ": " + result);
    }

    static void redefine(String version) {
        attempt("version " + version, () -> {
            byte[] bytes = Files.readAllBytes(Path.of(version, "T.class"));
            Agent.instrumentation.redefineClasses(new ClassDefinition(T.class, bytes));
            return "in force";
        });
    }

    static Method method(String name, Class<?>... types) throws Exception {
        Method m = T.class.getDeclaredMethod(name, types);
        m.setAccessible(true);
        return m;
    }

    static void hot(String what, T t) {
        attempt(what, () -> {
            int n = 0;
            for (int i = 0; i < 20000; i++) n += T.Used.both(t) + T.Used.both(t);
            return n;
        });
    }

    static MethodHandle handle, handleOfFinal;

    /** Handles that compiled code knows. */
    static class Constants {
        static final MethodHandle HANDLE = handle, OF_FINAL = handleOfFinal;

        static int call(T t) throws Throwable {
            return (int) HANDLE.invokeExact() + (int) OF_FINAL.invokeExact(t);
        }
    }

    static void all(T t, Method ds, Method df, Method often, Method kept, MethodHandle mh, MethodHandle mf, IntSupplier lambda) {
        attempt("own call", () -> t.own());
        attempt("own call, final", () -> t.ownFinal());
        attempt("nestmate", () -> T.Used.ofStatic());
        attempt("nestmate, final", () -> T.Used.ofFinal(t));
        hot("nestmate, hot", t);
        attempt("reflection", () -> ds.invoke(null));
        attempt("reflection, final", () -> df.invoke(t));
        attempt("reflection, often", () -> often.invoke(null));
        attempt("handle", () -> (int) mh.invokeExact());
        attempt("handle, final", () -> (int) mf.invokeExact(t));
        attempt("handle, hot", () -> {
            int n = 0;
            for (int i = 0; i < 20000; i++) n += Constants.call(t);
            return n;
        });
        attempt("made from reflection", () -> T.lookup().unreflect(ds).type());
        attempt("by id", () -> callById());
        attempt("as text", () -> ds);
        attempt("in an accessor", () -> T.Used.boxed(t).get());
        attempt("lambda", () -> lambda.getAsInt());
        attempt("kept", () -> t.kept());
        attempt("kept, reflection", () -> kept.invoke(t));
        attempt("looked up", () -> method("deleted").invoke(null));
        attempt("equals", () -> method("deleted").equals(ds));
        attempt("names", () -> {
            String[] names = Arrays.stream(T.class.getDeclaredMethods()).map(Method::getName).toArray(String[]::new);
            Arrays.sort(names);
            return String.join(" ", names);
        });
    }

    public static void main(String[] args) throws Exception {
        System.loadLibrary("ids");
        remember();
        T t = new T();
        Method ds = method("deleted"), df = method("deletedFinal"), often = method("often"), kept = method("kept");
        for (int i = 0; i < 30; i++) often.invoke(null);
        MethodHandle mh = T.handle(), mf = T.handleOfFinal();
        handle = mh;
        handleOfFinal = mf;
        IntSupplier lambda = T.lambda();
        lambda.getAsInt();
        all(t, ds, df, often, kept, mh, mf, lambda);
        redefine("noVirtual");
        redefine("noPublic");
        redefine("noPackage");
        attempt("running", () -> T.running(() -> redefine("v2")));
        all(t, ds, df, often, kept, mh, mf, lambda);
        attempt("nestmate, for the first time", () -> T.Late.ofStatic());
        attempt("nestmate, for the first time, final", () -> T.Late.ofFinal(t));
        System.out.println("again");
        redefine("v1");
        all(t, ds, df, often, kept, mh, mf, lambda);
        attempt("nestmate, for the first time", () -> T.Late.ofStatic());
    }
}
J
cat > T.java <<'J'
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntSupplier;

public class T {
    private static int deleted() { return 1; }
    private final int deletedFinal() {
        return new StringBuilder().append(1).append(2).append(3).append(4).append(5).append(6).append(7).append(8).append(9).length() - 7;
    }
    private static int often() { return 3; }
    private int privateVirtual() { return 4; }
    public static int publicStatic() { return 5; }
    static final int packageStatic() { return 5; }
    private static int inner() { return 10; }
    int own() { return deleted(); }
    int ownFinal() { return deletedFinal(); }
    int kept() { return 100; }
    private static int wait(Runnable r) {
        int n = inner();
        r.run();
        try {
            return n + inner();
        } catch (NoSuchMethodError e) {
            System.out.println("  in the running method: " + Main.told(e));
            return n;
        }
    }
    static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }
    static int running(Runnable r) {
        int n = WAIT;
        return n + new Waiter().wait(r);
    }
    static final int WAIT = 1000;
    static class Waiter {
        int wait(Runnable r) { return T.wait(r); }
    }
    static MethodHandle handle() throws Exception {
        return MethodHandles.lookup().findStatic(T.class, "deleted", MethodType.methodType(int.class));
    }
    static MethodHandle handleOfFinal() throws Exception {
        return MethodHandles.lookup().findSpecial(T.class, "deletedFinal", MethodType.methodType(int.class), T.class);
    }
    static IntSupplier lambda() { return Used.made(); }
    static class Used {
        static int ofStatic() { return deleted(); }
        static int ofFinal(T t) { return t.deletedFinal(); }
        static int both(T t) { return deleted() + t.deletedFinal(); }
        static java.util.function.Supplier<Integer> boxed(T t) { return t::deletedFinal; }
        static IntSupplier made() { return T::deleted; }
    }
    static class Late {
        static int ofStatic() { return deleted(); }
        static int ofFinal(T t) { return t.deletedFinal(); }
    }
}
J
cat > ids.c <<'C'
#include <jni.h>

static jmethodID id;
static jclass holder;

JNIEXPORT void JNICALL Java_Main_remember(JNIEnv *env, jclass c) {
    holder = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "T"));
    id = (*env)->GetStaticMethodID(env, holder, "deleted", "()I");
}

JNIEXPORT jint JNICALL Java_Main_callById(JNIEnv *env, jclass c) {
    return (*env)->CallStaticIntMethod(env, holder, id);
}
C
gcc -O1 -Wall -shared -fPIC -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -o libids.so ids.c
"$JAVAC" -nowarn Agent.java Main.java T.java
mkdir v1
cp T.class v1
ASM="--add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED"
cat > Without.java <<'J'
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import jdk.internal.org.objectweb.asm.*;

/** Writes a class without some of its methods; those that call them stay as they are. */
public class Without {
    public static void main(String[] args) throws Exception {
        Set<String> names = Set.of(args[1].split(","));
        ClassWriter w = new ClassWriter(0);
        new ClassReader(Files.readAllBytes(Path.of("T.class"))).accept(new ClassVisitor(Opcodes.ASM8, w) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return names.contains(name) ? null : super.visitMethod(access, name, descriptor, signature, exceptions);
            }
        }, 0);
        Files.createDirectories(Path.of(args[0]));
        Files.write(Path.of(args[0], "T.class"), w.toByteArray());
    }
}
J
"$JAVAC" $ASM Without.java
without() { "$JAVA_HOME/bin/java" -Xint $ASM -cp . Without "$@"; }
without v2 deleted,deletedFinal,often,inner,wait
without noVirtual privateVirtual
without noPublic publicStatic
without noPackage packageStatic
printf 'Premain-Class: Agent\nCan-Redefine-Classes: true\n' > manifest
"$JAVA_HOME/bin/jar" cfm agent.jar manifest
for flag in + -; do
    echo "$flag"
    "$JAVA_HOME/bin/java" $VM_OPTIONS -Xbatch -Xshare:off -XX:${flag}AllowRedefinitionToAddDeleteMethods -Djava.library.path=. -javaagent:agent.jar -cp . Main 2>&1 | grep -v warning
done
