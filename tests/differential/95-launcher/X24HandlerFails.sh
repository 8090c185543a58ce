# What an uncaught exception handler throws: the console is told its class.
cat > P.java <<'J'
public class P {
    public static void main(String[] a) throws Exception {
        Thread t = new Thread(() -> { throw new IllegalStateException("first"); }, "worker");
        t.setUncaughtExceptionHandler((x, e) -> { throw new UnsupportedOperationException("second"); });
        t.start();
        t.join();
        System.out.println(t.getState());
    }
}
J
"$JAVAC" P.java
"$JAVA_HOME/bin/java" -cp . P 2>&1
echo "exit $?"
