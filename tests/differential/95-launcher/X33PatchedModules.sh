# --patch-module on modules of the boot loader: their own classes, new ones, new packages, resources, early and late.
mkdir -p base/java/lang base/java/io base/java/util/extra log/java/util/logging more/java/lang
echo 'package java.lang; public class Patched { public static String hi() { return "patched"; } }' > base/java/lang/Patched.java
echo 'package java.lang; public class Patched { public static String hi() { return "second"; } }' > more/java/lang/Patched.java
cat > base/java/util/extra/Extra.java <<'J'
package java.util.extra;
public class Extra { public static String hi() { return Extra.class.getPackage() + " of " + Extra.class.getModule(); } }
J
# Loaded long before java.base is defined.
cat > base/java/io/Flushable.java <<'J'
package java.io;
public interface Flushable { void flush() throws IOException; static String hi() { return "flushed"; } }
J
cat > log/java/util/logging/ErrorManager.java <<'J'
package java.util.logging;
public class ErrorManager {
    public static final int GENERIC_FAILURE = 0, WRITE_FAILURE = 1, FLUSH_FAILURE = 2, CLOSE_FAILURE = 3, OPEN_FAILURE = 4, FORMAT_FAILURE = 5;
    public static String hi() { return "own " + new Other(); }
    public synchronized void error(String msg, Exception ex, int code) { System.out.println(msg + " " + code); }
}
class Other { public String toString() { return "other in " + getClass().getModule(); } }
J
cat > App.java <<'J'
public class App {
    public static void main(String[] a) throws Exception {
        for (String n : a) {
            if (n.startsWith("/")) {
                try (var in = Object.class.getResourceAsStream(n)) {
                    System.out.println(n + " " + (in == null ? null : new String(in.readAllBytes()).trim()));
                }
                continue;
            }
            try {
                Class<?> c = Class.forName(n);
                System.out.println(n + " " + c.getModule() + " " + c.getClassLoader() + " " + c.getProtectionDomain().getCodeSource());
                System.out.println(c.getMethod("hi").invoke(null));
            } catch (Throwable t) {
                System.out.println(t.toString().replaceAll("@[0-9a-f]+", "@"));
            }
        }
        if (a.length > 2) new java.util.logging.ErrorManager().error("late", null, 3);
    }
}
J
c="$JAVAC" j="$JAVA_HOME/bin/java"
"$c" -d cp App.java
"$c" -d p1 --patch-module java.base=base $(find base -name '*.java')
"$c" -d p2 --patch-module java.base=more $(find more -name '*.java')
"$c" -d pl --patch-module java.logging=log $(find log -name '*.java')
mkdir p1/META-INF && echo found > p1/META-INF/r.txt && echo second > p2/r.txt
"$JAVA_HOME/bin/jar" cf p1.jar -C p1 .
run() { "$j" $VM_OPTIONS "$@" 2>&1 | sed 's/@[0-9a-f]*/@/'; echo "exit ${PIPESTATUS[0]}"; }
ALL="java.lang.Patched java.util.extra.Extra java.io.Flushable java.util.logging.ErrorManager java.lang.Nope /META-INF/r.txt /r.txt"
run --patch-module java.base=p1 -cp cp App $ALL
run --patch-module java.base=p1 --add-exports java.base/java.util.extra=ALL-UNNAMED -cp cp App $ALL
run --patch-module=java.base=p2:p1 -cp cp App $ALL
run --patch-module=java.base=p1.jar:p2 -cp cp App $ALL
run --patch-module=java.base=nope:p2:p1 -cp cp App java.lang.Patched
run --patch-module=java.logging=pl --patch-module java.base=p2 -cp cp App $ALL
run --patch-module=java.logging=p2 -cp cp App java.lang.Patched
run --patch-module=java.base=p1 --patch-module=java.base=p2 -cp cp App
run --patch-module=java.logging=p2 --patch-module=java.logging=pl -cp cp App
run --patch-module=java.base -cp cp App
run --patch-module=java.base= -cp cp App
run --patch-module==p1 -cp cp App
run --patch-module=nosuch=p1 -cp cp App java.lang.Patched
run --patch-module java.base=p1 -Xbootclasspath/a:p2 -cp cp App java.lang.Patched /r.txt
run --patch-module java.base=p1 -Xlog:class+load -cp cp App java.lang.Patched java.util.logging.ErrorManager | grep -E 'Patched source|Flushable source' | sed 's/^\[.*\] //'
run -Djdk.module.patch.0=java.base=p1 -cp cp App java.lang.Patched | grep -v warning
