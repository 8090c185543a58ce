export JAVA_TOOL_OPTIONS="-Da=tool -Db=tool" _JAVA_OPTIONS="-Db=late"
cat > P.java <<'J'
public class P { public static void main(String[] x) { System.out.println(System.getProperty("a") + System.getProperty("b") + System.getProperty("c")); } }
J
env -u JAVA_TOOL_OPTIONS -u _JAVA_OPTIONS "$JAVAC" P.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -Da=cmd -Db=cmd -Dc=cmd -cp . P 2>&1
unset _JAVA_OPTIONS; unset JAVA_TOOL_OPTIONS
JDK_JAVA_OPTIONS="-Dc=jdk" "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . P 2>&1
printf -- '-Da=file\n-cp .\n' > args; "$JAVA_HOME/bin/java" $VM_OPTIONS @args P
printf -- '-Da=vmfile -Db=x\n' > vmopts; "$JAVA_HOME/bin/java" $VM_OPTIONS -XX:VMOptionsFile=vmopts -cp . P
CLASSPATH=. "$JAVA_HOME/bin/java" $VM_OPTIONS P
