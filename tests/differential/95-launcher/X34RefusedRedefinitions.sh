# No new version of a class that failed its initialization, or of a record with another signature of a component.
mkdir one two agent
echo 'public class Bad { static int v = 1; static { if (true) throw new IllegalStateException("fails"); } static int a() { return 1; } }' > one/Bad.java
sed 's/return 1/return 2/' one/Bad.java > two/Bad.java
echo 'public record Rec(java.util.List<String> list) { int a() { return 1; } }' > one/Rec.java
echo 'public record Rec(java.util.List<Integer> list) { int a() { return 2; } }' > two/Rec.java
echo 'public record Rec2(java.util.List<String> list) { int a() { return 1; } }' > one/Rec2.java
echo 'public record Rec2(java.util.List<String> list) { int a() { return 2; } }' > two/Rec2.java
echo 'public record Rec3(java.util.List list) { int a() { return 1; } }' > one/Rec3.java
echo 'public record Rec3(java.util.List<String> list) { int a() { return 2; } }' > two/Rec3.java
echo 'public record Rec4(int x) { int a() { return 1; } }' > one/Rec4.java
echo 'public record Rec4(@Deprecated int x) { int a() { return 2; } }' > two/Rec4.java
cat > agent/Agent.java <<'J'
import java.lang.instrument.Instrumentation;
public class Agent { public static Instrumentation inst; public static void premain(String a, Instrumentation i) { inst = i; } }
J
cat > Main.java <<'J'
import java.lang.instrument.ClassDefinition;
import java.nio.file.*;
public class Main {
    static void redefine(String name) throws Exception {
        Class<?> c = Class.forName(name, false, Main.class.getClassLoader());
        try {
            Agent.inst.redefineClasses(new ClassDefinition(c, Files.readAllBytes(Path.of("new", name + ".class"))));
            System.out.println(name + " redefined");
        } catch (Throwable e) {
            System.out.println(name + " " + e);
        }
        try {
            Agent.inst.retransformClasses(c);
            System.out.println(name + " retransformed");
        } catch (Throwable e) {
            System.out.println(name + " " + e);
        }
    }
    public static void main(String[] x) throws Exception {
        for (int i = 0; i < 2; i++) {
            try { System.out.println(Bad.a()); } catch (Throwable e) { System.out.println(e); }
            redefine("Bad");
        }
        System.out.println(new Rec4(1).a());
        for (int i = 1; i < 5; i++) redefine(i == 1 ? "Rec" : "Rec" + i);
        System.out.println(new Rec(null).a() + " " + new Rec2(null).a() + " " + new Rec3(null).a() + " " + new Rec4(1).a());
        for (var r : Rec4.class.getRecordComponents()) System.out.println(r + " " + java.util.Arrays.toString(r.getAnnotations()));
    }
}
J
c="$JAVAC"
"$c" -d old one/*.java && "$c" -d new two/*.java && "$c" -d ag agent/Agent.java && "$c" -cp old:ag -d old Main.java
printf 'Premain-Class: Agent\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n' > mf
"$JAVA_HOME/bin/jar" cfm agent.jar mf -C ag .
"$JAVA_HOME/bin/java" $VM_OPTIONS -javaagent:agent.jar -cp old Main
