# skip-mode: zeal move
cat > Single.java <<'J'
import java.util.*;
public class Single {
    record P(int a) { }
    public static void main(String[] args) { System.out.println(List.of(args) + " " + new P(3)); if (args.length > 1) throw new RuntimeException("x"); }
}
J
"$JAVA_HOME/bin/java" $VM_OPTIONS Single.java one; echo "exit $?"
"$JAVA_HOME/bin/java" $VM_OPTIONS Single.java one two 2>/dev/null; echo "exit $?"
echo 'class Broken { void f() { int x = "s"; } }' > Broken.java
"$JAVA_HOME/bin/java" $VM_OPTIONS Broken.java; echo "exit $?"
