# A class is redefined while instructions of its old version resolve their constants, which takes long: initializers,
# loaders and a handler's class.
# timeout: 120
mkdir one two agent
cat > Slow.java <<'J'
public class Slow {
    static volatile int entered;
    static void wait(String who) {
        entered++;
        try { Thread.sleep(400); } catch (InterruptedException e) { throw new AssertionError(e); }
    }
    public static class Field { public static int x = 40; static { Slow.wait("field"); } }
    public static class Call { static { Slow.wait("call"); } public static int f() { return 41; } }
    public static class Made { public int y = 42; static { Slow.wait("made"); } }
}
J
body() {
    cat <<J
public class Target {
    static String field() { $1 return "$2 " + Slow.Field.x; }
    static String call() { return "$2 " + Slow.Call.f(); }
    static String made() { return "$2 " + new Slow.Made().y; }
    static String array() { return "$2 " + new Loaded[3].length; }
    static String handler() {
        try {
            throw new IllegalStateException("thrown");
        } catch (LoadedError e) {
            return "wrong";
        } catch (IllegalStateException e) {
            return "$2 " + e.getMessage();
        }
    }
}
J
}
body "" old > one/Target.java
body 'long a = System.nanoTime() % 1234567890123L; double d = a * 2.5e10; if (Long.toHexString(a).length() + d < 0) return "new constants" + java.util.List.of(1L, 2L);' new > two/Target.java
cat > Loaded.java <<'J'
public class Loaded { }
J
cat > LoadedError.java <<'J'
public class LoadedError extends IllegalArgumentException { }
J
cat > agent/Agent.java <<'J'
public class Agent {
    public static java.lang.instrument.Instrumentation inst;
    public static void premain(String a, java.lang.instrument.Instrumentation i) { inst = i; }
}
J
cat > Main.java <<'J'
import java.lang.instrument.ClassDefinition;
import java.nio.file.Files;
import java.nio.file.Path;

public class Main {
    static class Loader extends ClassLoader {
        Loader() { super(Main.class.getClassLoader()); }
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (name.startsWith("Loaded")) Slow.wait(name);
                if (!name.equals("Target") && !name.startsWith("Loaded")) return super.loadClass(name, resolve);
                Class<?> c = findLoadedClass(name);
                if (c != null) return c;
                try {
                    byte[] b = Files.readAllBytes(Path.of(name.equals("Target") ? "one/Target.class" : name + ".class"));
                    return defineClass(name, b, 0, b.length);
                } catch (java.io.IOException e) { throw new ClassNotFoundException(name, e); }
            }
        }
    }
    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"field", "call", "made", "array", "handler"}) {
            Class<?> target = new Loader().loadClass("Target");
            var m = target.getDeclaredMethod(name);
            m.setAccessible(true);
            int before = Slow.entered;
            Thread t = new Thread(() -> {
                try { System.out.println(name + " " + m.invoke(null)); } catch (ReflectiveOperationException e) { System.out.println(name + " " + e.getCause()); }
            });
            t.start();
            while (Slow.entered == before && t.isAlive()) Thread.sleep(1);
            Agent.inst.redefineClasses(new ClassDefinition(target, Files.readAllBytes(Path.of("two/Target.class"))));
            t.join();
            System.out.println(name + " " + m.invoke(null));
        }
    }
}
J
"$JAVAC" -d . Slow.java Loaded.java LoadedError.java
"$JAVAC" -cp . -d one one/Target.java
"$JAVAC" -cp . -d two two/Target.java 2> errors || cat errors
"$JAVAC" -d agent agent/Agent.java
"$JAVAC" -cp .:agent -d . Main.java
printf 'Premain-Class: Agent\nCan-Redefine-Classes: true\n' > manifest
"$ORACLE_HOME/bin/jar" cfm agent.jar manifest -C agent Agent.class
"$JAVA_HOME/bin/java" $VM_OPTIONS -javaagent:agent.jar -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -cp . Main
