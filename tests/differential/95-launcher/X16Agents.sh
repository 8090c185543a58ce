# skip-mode: zeal move
# timeout: 240
# Java agents: premain, agentmain by attaching, transformers, redefinition and all its refusals.
mkdir src && cat > src/Agent.java <<'J'
import java.lang.instrument.*;
import java.security.ProtectionDomain;
public class Agent {
    static Instrumentation inst;
    public static void premain(String a, Instrumentation i) { System.out.println("premain " + a); inst = i; go(i); }
    public static void agentmain(String a, Instrumentation i) { System.out.println("agentmain " + a); inst = i; go(i); }
    static void go(Instrumentation i) {
        System.out.println(i.isRedefineClassesSupported() + " " + i.isRetransformClassesSupported());
        i.addTransformer(new ClassFileTransformer() {
            public byte[] transform(ClassLoader l, String n, Class<?> c, ProtectionDomain d, byte[] b) {
                if (n != null && (n.equals("Main") || n.equals("Late"))) {
                    System.out.println("once " + n + " " + (c != null));
                }
                if ("Late".equals(n)) {
                    return Main.patch(b, new byte[] {0x10, 7, (byte) 0xac}, new byte[] {0x10, 8, (byte) 0xac});
                }
                return null;
            }
        });
        i.addTransformer(new ClassFileTransformer() {
            public byte[] transform(ClassLoader l, String n, Class<?> c, ProtectionDomain d, byte[] b) {
                if (n != null && n.equals("Late")) {
                    System.out.println("again " + n + " " + (c != null));
                    if (Main.on) return Main.patch(b, new byte[] {0x10, 8, (byte) 0xac}, new byte[] {0x10, 9, (byte) 0xac});
                }
                if (n != null && n.equals("Broken")) throw new IllegalStateException("ignored by the VM");
                return null;
            }
        }, true);
        System.out.println(i.getObjectSize(new long[100]) > 800);
        System.out.println(i.isModifiableClass(String.class) + " " + i.isModifiableClass(int[].class) + " " + i.isModifiableClass(int.class));
    }
}
J
cat > src/Late.java <<'J'
public class Late {
    static int seven() { return 7; }
    static int running() throws Exception {
        // This frame runs the old body to its end, which resolves constants of the old version.
        Main.redefine();
        String s = "old" + constant() + java.util.List.of(1).size();
        return s.length();
    }
    private static String constant() { return "c"; }
}
J
cat > src/Main.java <<'J'
import java.lang.instrument.*;
import java.util.*;
public class Main {
    static boolean on;
    static byte[] patch(byte[] b, byte[] from, byte[] to) {
        byte[] r = b.clone();
        for (int i = 0; i + from.length <= r.length; i++) {
            if (Arrays.equals(Arrays.copyOfRange(r, i, i + from.length), from)) System.arraycopy(to, 0, r, i, to.length);
        }
        return r;
    }
    static byte[] file(String name) throws Exception {
        try (var in = Main.class.getResourceAsStream(name + ".class")) { return in.readAllBytes(); }
    }
    static void redefine() throws Exception { Agent.inst.redefineClasses(new ClassDefinition(Late.class, file("Late"))); }
    static void refuse(String what, Class<?> c, byte[] bytes) {
        try {
            Agent.inst.redefineClasses(new ClassDefinition(c, bytes));
            System.out.println(what + ": done");
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }
    public static void main(String[] args) throws Exception {
        System.out.println("seven " + Late.seven());
        on = true;
        Agent.inst.retransformClasses(Late.class);
        System.out.println("retransformed " + Late.seven());
        on = false;
        Agent.inst.retransformClasses(Late.class);
        System.out.println("back " + Late.seven());
        System.out.println("old frame " + Late.running());
        System.out.println("new body " + Late.running());
        new Broken();
        for (String v : new String[] {"Same", "MethodAdded", "MethodGone", "FieldAdded", "FieldGone", "Super", "Interfaces", "Modifiers",
                "MethodModifiers", "OtherName", "Body"}) {
            byte[] b = file("variants/" + v + "/Victim");
            refuse(v, Victim.class, b);
        }
        System.out.println("victim " + Victim.value() + " " + new Victim().own());
        refuse("garbage", Victim.class, new byte[] {1, 2, 3});
        byte[] b = file("Victim");
        b[7] = 99;
        refuse("version", Victim.class, b);
        refuse("array", int[].class, file("Victim"));
        refuse("unverifiable", Victim.class, patch(file("variants/Body/Victim"), new byte[] {0x05, (byte) 0xac}, new byte[] {0x00, (byte) 0xac}));
        try {
            Agent.inst.retransformClasses(int.class);
        } catch (Throwable t) {
            System.out.println(t);
        }
        System.out.println(Agent.inst.getAllLoadedClasses().length > 300);
        System.out.println(Arrays.asList(Agent.inst.getInitiatedClasses(Main.class.getClassLoader())).contains(Main.class));
        Agent.inst.appendToBootstrapClassLoaderSearch(new java.util.jar.JarFile("boot.jar"));
        Class<?> c = Class.forName("boot.InBoot", true, null);
        System.out.println(c.getClassLoader() + " " + c.getDeclaredConstructor().newInstance());
        Agent.inst.appendToSystemClassLoaderSearch(new java.util.jar.JarFile("system.jar"));
        System.out.println(Class.forName("InSystem").getDeclaredConstructor().newInstance());
        Agent.inst.redefineModule(Object.class.getModule(), Set.of(), Map.of("jdk.internal.misc", Set.of(Main.class.getModule())), Map.of(), Set.of(), Map.of());
        System.out.println(Object.class.getModule().isExported("jdk.internal.misc", Main.class.getModule()));
        System.out.println(Class.class.getDeclaredMethods().length > 50);
    }
}
class Broken {}
J
victim() { mkdir -p "$1"; printf '%s\n' "$2" > "$1/Victim.java"; }
V='static int value() { return 1; } int own() { return field; } int field = 4; static final int X = 5;'
victim src "public class Victim extends java.util.ArrayList<String> implements Runnable { $V public void run() {} }"
H='public class Victim extends java.util.ArrayList<String> implements Runnable'
victim variants/Same "$H { $V public void run() {} }"
victim variants/MethodAdded "$H { $V public void run() {} void more() {} }"
victim variants/MethodGone "$H { static int value() { return 1; } int field = 4; static final int X = 5; public void run() {} }"
victim variants/FieldAdded "$H { $V int more; public void run() {} }"
victim variants/FieldGone "$H { static int value() { return 1; } int own() { return 4; } static final int X = 5; public void run() {} }"
victim variants/Super "public class Victim extends java.util.LinkedList<String> implements Runnable { $V public void run() {} }"
victim variants/Interfaces "public class Victim extends java.util.ArrayList<String> implements Runnable, Cloneable { $V public void run() {} }"
victim variants/Modifiers "public final class Victim extends java.util.ArrayList<String> implements Runnable { $V public void run() {} }"
victim variants/MethodModifiers "$H { public static int value() { return 1; } int own() { return field; } int field = 4; static final int X = 5; public void run() {} }"
victim variants/Body "$H { static int value() { return 2; } int own() { return field + 10; } int field = 4; static final int X = 5; public void run() { System.out.println(); } }"
mkdir -p variants/OtherName && echo 'public class Other { }' > variants/OtherName/Other.java
javac="$JAVAC"
"$javac" -nowarn -d . src/*.java || exit 9
for v in variants/*; do "$javac" -nowarn -d $v $v/*.java; done
mv variants/OtherName/Other.class variants/OtherName/Victim.class
mkdir -p b/boot s && echo 'package boot; public class InBoot { public InBoot() {} public String toString() { return "in boot"; } }' > b/boot/InBoot.java
echo 'public class InSystem { public InSystem() {} public String toString() { return "in system"; } }' > s/InSystem.java
"$javac" -d b b/boot/InBoot.java; "$javac" -d s s/InSystem.java
"$JAVA_HOME/bin/jar" cf boot.jar -C b boot/InBoot.class; "$JAVA_HOME/bin/jar" cf system.jar -C s InSystem.class
printf 'Premain-Class: Agent\nAgent-Class: Agent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' > m.txt
"$JAVA_HOME/bin/jar" cfm agent.jar m.txt 'Agent.class' 'Agent$1.class' 'Agent$2.class'
java="$JAVA_HOME/bin/java"
"$java" -javaagent:agent.jar=first -cp . Main 2>&1 | grep -v 'Sharing is only supported'; echo "exit ${PIPESTATUS[0]}"
# What compiled code has taken from a body goes with it: inlined whole, or a leaf that is called.
cat > Hot.java <<'J'
import java.lang.instrument.*;
public class Hot {
    static class A {
        int ten() { return 10; }
        private int hundred() { return 100; }
        static int more() { return 120; }
        static int leaf(int x) { int s = 11; for (int i = 0; i < x; i++) s += i ^ x; return s; }
    }
    static int all(A a) { return a.ten() + a.hundred() + A.more(); }
    public static void main(String[] args) throws Exception {
        A a = new A();
        for (int v = 0; v < 4; v++) {
            int s = 0;
            for (int i = 0; i < 200_000; i++) s += all(a) + A.leaf(3);
            System.out.println(v + " " + all(a) + " " + A.leaf(3) + " " + s);
            byte[] b = Main.file("Hot$A");
            for (byte n : new byte[] {10, 100, 120}) b = Main.patch(b, new byte[] {0x10, n, (byte) 0xac}, new byte[] {0x10, (byte) (n + v + 1), (byte) 0xac});
            b = Main.patch(b, new byte[] {0x10, 11, 0x3c}, new byte[] {0x10, (byte) (12 + v), 0x3c});
            Agent.inst.redefineClasses(new ClassDefinition(A.class, b));
            System.out.println(v + " " + all(a) + " " + A.leaf(3));
        }
    }
}
J
"$javac" -cp . -d . Hot.java || exit 9
for o in -Xbatch -Xmixed; do "$java" $o -javaagent:agent.jar=hot -cp . Hot 2>&1 | grep -v 'Sharing is only supported'; done
# Attaching to itself.
cat > Self.java <<'J'
import com.sun.tools.attach.VirtualMachine;
public class Self {
    public static void main(String[] a) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
        vm.loadAgent("agent.jar", "attached");
        System.out.println(vm.getSystemProperties().getProperty("my.property"));
        try { vm.loadAgent("nowhere.jar"); } catch (Exception e) { System.out.println(e); }
        try { vm.loadAgentPath("/nowhere.so"); } catch (Exception e) { System.out.println(e.getMessage().lines().findFirst().get().replaceAll("[0-9]+", "N")); }
        try { vm.loadAgentLibrary("nosuchagent"); } catch (Exception e) { System.out.println(e.getMessage().lines().findFirst().get()); }
        System.out.println(Agent.inst != null);
        vm.detach();
        Main.main(a);
    }
}
J
"$javac" -cp . -d . Self.java || exit 9
"$java" -Djdk.attach.allowAttachSelf=true -Dmy.property=p -cp . Self 2>&1 | grep -v 'Sharing is only supported'; echo "exit ${PIPESTATUS[0]}"
# What goes wrong.
bad() { ( "$java" -XX:-CreateCoredumpOnCrash "$@" -cp . Victim > o 2> e; echo "exit $?" ) 2> /dev/null; head -3 o | grep -vE '^(Native frames|V  )'; head -3 e; }
bad -javaagent:nowhere.jar
bad -javaagent:boot.jar
bad -agentlib:nosuchagent
bad -agentpath:/nowhere.so
printf 'Premain-Class: NoSuchClass\n' > m2.txt; "$JAVA_HOME/bin/jar" cfm a2.jar m2.txt Victim.class; bad -javaagent:a2.jar
printf 'Premain-Class: Victim\n' > m3.txt; "$JAVA_HOME/bin/jar" cfm a3.jar m3.txt Victim.class; bad -javaagent:a3.jar
