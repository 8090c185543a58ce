# An interface is redefined while a method of it runs whose instructions are resolved: it goes on to call its superinterface's
# method on its own receiver.
mkdir one two agent
cat > Parent.java <<'J'
public interface Parent {
    default int step(int i) { return i + 1; }
}
J
body() {
    cat <<J
public interface Looping extends Parent {
    default int run(java.util.concurrent.CyclicBarrier turn) throws Exception {
        int n = 0;
        for (int i = 0; i < 6; i++) {
            n = Parent.super.step(n);
            turn.await();
            turn.await();
        }
        return n + $1;
    }
}
J
}
body 100 > one/Looping.java
body 200 > two/Looping.java
cat > Main.java <<'J'
import java.lang.instrument.ClassDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;

public class Main implements Looping {
    public static void main(String[] args) throws Exception {
        CyclicBarrier turn = new CyclicBarrier(2);
        Thread t = new Thread(() -> {
            try {
                System.out.println(new Main().run(turn));
            } catch (Throwable e) {
                System.out.println(e);
                System.exit(3);
            }
        });
        t.start();
        for (int i = 0; i < 6; i++) {
            turn.await();
            if (i == 2) Agent.inst.redefineClasses(new ClassDefinition(Looping.class, Files.readAllBytes(Path.of("two/Looping.class"))));
            turn.await();
        }
        t.join();
        Thread again = new Thread(() -> {
            for (int i = 0; i < 12; i++) {
                try { turn.await(); } catch (Exception e) { throw new AssertionError(e); }
            }
        });
        again.start();
        System.out.println(new Main().run(turn));
    }
}
J
cat > agent/Agent.java <<'J'
public class Agent {
    public static java.lang.instrument.Instrumentation inst;
    public static void premain(String a, java.lang.instrument.Instrumentation i) { inst = i; }
}
J
"$JAVAC" -d . Parent.java
"$JAVAC" -cp . -d . one/Looping.java
"$JAVAC" -cp . -d two two/Looping.java
"$JAVAC" -d agent agent/Agent.java
"$JAVAC" -cp .:agent -d . Main.java
printf 'Premain-Class: Agent\nCan-Redefine-Classes: true\n' > manifest
"$ORACLE_HOME/bin/jar" cfm agent.jar manifest -C agent Agent.class
"$JAVA_HOME/bin/java" $VM_OPTIONS -javaagent:agent.jar -cp . Main
