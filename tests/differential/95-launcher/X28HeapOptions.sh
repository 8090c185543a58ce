# Options of the heap that HotSpot follows: no explicit collections, many threads, and the heap of small machines.
cat > Collects.java <<'J'
public class Collects {
    public static void main(String[] args) {
        System.gc();
        Runtime.getRuntime().gc();
        System.out.println("done");
    }
}
J
"$JAVAC" -d . Collects.java
for options in "-Xlog:gc" "-XX:+DisableExplicitGC -Xlog:gc"; do
    echo "$options: $("$JAVA_HOME/bin/java" $options -Xmx64m -cp . Collects | grep -c 'System.gc()')"
done
"$JAVA_HOME/bin/java" -XX:ParallelGCThreads=300 -Xmx64m -cp . Collects
for ram in 128m 200m 256m 300m 400m 504m 512m 2g; do
    echo "$ram: $("$JAVA_HOME/bin/java" -XX:MaxRAM=$ram -XX:+PrintFlagsFinal -version 2>&1 | awk '$2 == "MaxHeapSize" { print int($4 / 1048576) }')"
done
"$JAVA_HOME/bin/java" -XX:MaxRAM=200m -XX:MinRAMPercentage=20 -XX:+PrintFlagsFinal -version 2>&1 | awk '$2 == "MaxHeapSize" { print int($4 / 1048576) }'
