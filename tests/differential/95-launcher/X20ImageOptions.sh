# Options that jlink --add-options has put into an image: before all others, and silently.
# timeout: 120
cat > P.java <<'J'
public class P { public static void main(String[] x) { System.out.println(System.getProperty("a") + System.getProperty("b") + System.getProperty("c")); } }
J
"$JAVAC" P.java
image() {
  rm -rf image
  "$ORACLE_HOME/bin/jlink" --module-path "$ORACLE_HOME/jmods" --add-modules java.base --strip-debug --add-options="$1" --output image
  cp "$JAVA_HOME/lib/server/libjvm.so" image/lib/server/libjvm.so
}
image "-Da=image '-Db=in quotes' -Dc=image -XX:MaxJavaStackTraceDepth=7"
image/bin/java $VM_OPTIONS -cp . P 2>&1
JAVA_TOOL_OPTIONS=-Da=tool image/bin/java $VM_OPTIONS -Dc=command -cp . P 2>&1
image/bin/java $VM_OPTIONS -XX:+PrintFlagsFinal -cp . P | grep -E 'MaxJavaStackTraceDepth' | sed 's/  */ /g'
image "-Da='x"
image/bin/java $VM_OPTIONS -cp . P 2>&1 || echo "exit $?"
