# skip-mode: zeal move
# timeout: 120
cat > O.java <<'J'
import java.util.ArrayList;
import java.util.List;
public class O {
    static List<Object> all = new ArrayList<>();
    public static void main(String[] a) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        for (int i = 0; i < 2; i++) {
            try {
                while (true) all.add(new long[1000]);
            } catch (OutOfMemoryError e) {
                all = null;
                all = new ArrayList<>();
                System.out.println(e.getMessage());
            }
        }
    }
}
J
"$JAVAC" O.java
run() { "$JAVA_HOME/bin/java" -Xmx24m -cp . "$@" O 2>&1 | sed -e 's/java_pid[0-9]*/java_pidN/' -e 's/[0-9]* bytes in [0-9.]* secs/N bytes in T secs/' | grep -v 'warning: Option'; echo "exit ${PIPESTATUS[0]}"; }
run
run -XX:+ExitOnOutOfMemoryError
run -XX:OnOutOfMemoryError='echo one; echo two'
run -XX:OnOutOfMemoryError='echo one' -XX:+ExitOnOutOfMemoryError
run -XX:+HeapDumpOnOutOfMemoryError | sed "s|$PWD/||"
ls java_pid*.hprof | wc -l
head -c 18 java_pid*.hprof; echo
mkdir d
run -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=d | sed "s|$PWD/||"
ls d | wc -l
run -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=named.hprof | sed "s|$PWD/||"
run -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=named.hprof | sed "s|$PWD/||"
run -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/nowhere/x
run -XX:+CrashOnOutOfMemoryError -XX:-CreateCoredumpOnCrash -XX:ErrorFile=err.log | grep -E '^(Aborting|exit|# A fatal)'
test -s err.log && echo report
