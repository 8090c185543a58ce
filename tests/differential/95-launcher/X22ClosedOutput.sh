# Whoever reads the VM's own output may go, or never take it: the program goes on.
cat > P.java <<'J'
public class P {
    public static void main(String[] a) throws Exception {
        long s = 0;
        for (int i = 0; i < 300_000; i++) s += Integer.toString(i).hashCode() + new StringBuilder().append(i).reverse().length();
        java.nio.file.Files.writeString(java.nio.file.Path.of("done"), "sum " + s + "\n");
    }
}
J
cat > Full.java <<'J'
public class Full {
    public static void main(String[] a) throws Exception {
        try {
            System.out.println(new long[Integer.MAX_VALUE - 10].length);
        } catch (OutOfMemoryError e) {
            java.nio.file.Files.writeString(java.nio.file.Path.of("done"), e.getMessage() + "\n");
        }
    }
}
J
"$JAVAC" P.java Full.java
set -o pipefail
"$JAVA_HOME/bin/java" -XX:+PrintCompilation -cp . P | head -1 > first
echo "exit $?"; cat done; wc -l < first
rm done
"$JAVA_HOME/bin/java" -XX:+PrintCompilation -cp . P > /dev/full
echo "exit $?"; cat done
rm done
"$JAVA_HOME/bin/java" -Xmx32m -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=dump.hprof -cp . Full > /dev/full
echo "exit $?"; cat done; [ -s dump.hprof ] && echo dumped
