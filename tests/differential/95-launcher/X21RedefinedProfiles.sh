# skip-mode: zeal move
# timeout: 240
# Methods that were hot are redefined to longer and shorter bodies with other type tests, one of them in its loop; then
# classes go.
mkdir one two three agent
body() {
  echo 'public class Body {'
  echo '    static int work(Object o, int i) {'
  echo '        int s = 0;'
  for k in $(seq "$1"); do echo "        if ((i & $k) != 0) s += o instanceof $2 ? $k : s;"; done
  echo '        return s;'
  echo '    }'
  echo '}'
}
body 20 String > one/Body.java
body 300 Integer > two/Body.java
body 3 Long > three/Body.java
cat > one/Loop.java <<'J'
public class Loop {
    static String run() {
        long s = 0;
        int i = 0;
        try {
            for (; i < 400_000; i++) {
                s += Main.tick(i);
                if (i == 300_000) throw new IllegalStateException("at " + i);
            }
        } catch (IllegalStateException e) {
            return "first: " + e.getMessage() + " " + s + " line " + e.getStackTrace()[0].getLineNumber();
        }
        return "first";
    }
}
J
cat > two/Loop.java <<'J'
public class Loop {


    static String run() {
        String s = "second";
        for (int i = 0; i < 5; i++) {
            s += i + s.length();
            s += Main.tick(i) instanceof Integer ? "a" : "b";
        }
        try {
            s += Integer.parseInt(s);
        } catch (IllegalArgumentException e) {
            s += ": " + e.getStackTrace()[3].getLineNumber();
        }
        return s;
    }
}
J
cat > agent/Agent.java <<'J'
import java.lang.instrument.Instrumentation;
public class Agent {
    public static Instrumentation inst;
    public static void premain(String a, Instrumentation i) { inst = i; }
}
J
cat > Main.java <<'J'
import java.lang.instrument.ClassDefinition;
import java.lang.ref.WeakReference;
import java.net.*;
import java.nio.file.*;

public class Main {
    static final Object[] KINDS = {"s", 1, 2L, 'c', 1.5};
    static long rounds() {
        long s = 0;
        for (int i = 0; i < 60_000; i++) s = s * 31 + Body.work(KINDS[i % KINDS.length], i);
        return s;
    }
    static boolean ready;
    static Integer tick(int i) {
        if (i == 200_000 && ready) redefine("two", Loop.class);
        return i % 7;
    }
    static void redefine(String version, Class<?> c) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of(version, c.getName() + ".class"));
            Agent.inst.redefineClasses(new ClassDefinition(c, bytes));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
    static WeakReference<?> drop() throws Exception {
        try (URLClassLoader l = new URLClassLoader(new URL[] {Path.of("gone").toUri().toURL()}, null)) {
            Class<?> c = l.loadClass("Gone");
            c.getMethod("run").invoke(null);
            return new WeakReference<>(c);
        }
    }
    static void unload() throws Exception {
        WeakReference<?> c = drop();
        for (int i = 0; i < 50 && c.get() != null; i++) System.gc();
        System.out.println(c.get() == null ? "unloaded" : "still there");
    }
    public static void main(String[] args) throws Exception {
        System.out.println(rounds());
        unload();
        // Compiled with its loop, and nothing in it left to resolve, before it is redefined there.
        for (int i = 0; i < 3; i++) System.out.println(Loop.run());
        ready = true;
        System.out.println(Loop.run());
        unload();
        System.out.println(Loop.run());
        for (String version : new String[] {"two", "three", "two", "one"}) {
            redefine(version, Body.class);
            unload();
            System.out.println(version + " " + rounds());
            unload();
        }
    }
}
J
mkdir gone
echo 'public class Gone { public static void run() { for (int i = 0; i < 3; i++) new Gone(); } }' > gone/Gone.java
"$JAVAC" -d gone gone/Gone.java
"$JAVAC" -d agent agent/Agent.java
echo 'Premain-Class: Agent
Can-Redefine-Classes: true' > manifest
"$JAVA_HOME/bin/jar" cfm agent.jar manifest -C agent Agent.class
"$JAVAC" -cp agent.jar -sourcepath one:. -d . Main.java
for v in one two three; do "$JAVAC" -cp .:agent.jar -d $v $v/*.java; done
rm Body.class Loop.class
for mode in "" -Xbatch -Xint; do
  "$JAVA_HOME/bin/java" $mode -Xmx64m -javaagent:agent.jar -cp .:one Main
done
