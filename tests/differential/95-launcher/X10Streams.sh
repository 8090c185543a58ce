cat > O.java <<'J'
public class O { public static void main(String[] a) throws Exception { byte[] b = new byte[100000]; java.util.Arrays.fill(b, (byte) 'x'); for (int i = 0; i < 50; i++) { System.out.write(b); System.out.println(); } System.err.println(System.out.checkError()); } }
J
"$JAVAC" O.java
j="$JAVA_HOME/bin/java $VM_OPTIONS -cp . O"
$j | md5sum
$j | head -c 5; echo
$j >&-; echo "exit $?"
$j > /dev/full; echo "exit $?"
echo input | "$JAVA_HOME/bin/java" $VM_OPTIONS -cp "$CLASSES" B01Hello
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp "$CLASSES" B01Hello <&-
