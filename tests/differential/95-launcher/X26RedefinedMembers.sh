# After a redefinition that moves methods, Method objects name the ones that they named; a class file without stack
# maps is verified as the new version is, not as the old one was.
mkdir one two agent
cat > one/R.java <<'J'
public class R {
    static int a() { return 1; }
    static String b(String s, long n) { return s + n; }
    R(int x) { }
    R(String s) { System.out.println("made of " + s); }
}
J
cat > two/R.java <<'J'
public class R {
    R(String s) { System.out.println("made anew of " + s); }
    static String b(String s, long n) { return n + s; }
    R(int x) { }
    static int a() { return 10; }
}
J
cat > O.java <<'J'
public class O {
    static Object g() { return null; }
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
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
public class Main {
    /** The file as one of version 49, which has no stack maps; with null made 1 if bad. */
    static byte[] old(byte[] b, boolean bad) {
        b = b.clone();
        b[7] = 49;
        for (int i = 0; bad && i + 1 < b.length; i++) {
            if (b[i] == 1 && b[i + 1] == (byte) 0xb0) b[i] = 4;
        }
        return b;
    }
    static class Old extends ClassLoader {
        Class<?> define(byte[] b) { return defineClass("O", b, 0, b.length); }
    }
    public static void main(String[] x) throws Exception {
        Method a = R.class.getDeclaredMethod("a");
        Method b = R.class.getDeclaredMethod("b", String.class, long.class);
        Constructor<R> c = R.class.getDeclaredConstructor(String.class);
        for (int round = 0; round < 2; round++) {
            System.out.println(a.invoke(null) + " " + b.invoke(null, "s", 7L) + " " + (c.newInstance("t") != null));
            for (Method m : new Method[] {R.class.getDeclaredMethod("a"), R.class.getDeclaredMethod("b", String.class, long.class)}) {
                System.out.println(m + " " + m.equals(a) + " " + m.equals(b) + " " + Arrays.toString(m.getParameterTypes()));
            }
            if (round == 0) Agent.inst.redefineClasses(new ClassDefinition(R.class, Files.readAllBytes(Path.of("two/R.class"))));
        }
        byte[] o = Files.readAllBytes(Path.of("O.class"));
        Class<?> k = new Old().define(old(o, false));
        Method g = k.getDeclaredMethod("g");
        g.setAccessible(true);
        System.out.println(g.invoke(null));
        try {
            Agent.inst.redefineClasses(new ClassDefinition(k, old(o, true)));
            System.out.println("accepted");
        } catch (VerifyError e) {
            System.out.println("refused");
        }
        Agent.inst.redefineClasses(new ClassDefinition(k, old(o, false)));
        System.out.println(g.invoke(null));
    }
}
J
"$JAVAC" -d one one/R.java
"$JAVAC" -d two two/R.java
"$JAVAC" -d agent agent/Agent.java
"$JAVAC" --release 8 -nowarn -Xlint:-options -d . O.java
"$JAVAC" -cp one:agent -d . Main.java
printf 'Premain-Class: Agent\nCan-Redefine-Classes: true\n' > manifest
"$JAVA_HOME/bin/jar" cfm agent.jar manifest -C agent .
"$JAVA_HOME/bin/java" -javaagent:agent.jar -cp one:. Main
echo "exit $?"
