# The lines of a pause beside its main line, in their order; classes that are kept with -Xnoclassgc.
j="$JAVA_HOME/bin/java $VM_OPTIONS -cp $CLASSES -Xmx64m"
cat > Once.java <<'J'
public class Once {
    public static void main(String[] args) throws Exception {
        System.gc();
    }
}
J
"$JAVAC" -d . Once.java
once="$JAVA_HOME/bin/java $VM_OPTIONS -cp . -Xmx64m"
$once -Xlog:gc+start,gc,gc+cpu Once | sed -n 's/ *\]/]/g; s/^\[[0-9.,]*s\]//; s/GC([0-9]*)/GC(N)/; s/[0-9]*M/M/g; s/[0-9.]*ms/ms/; s/=[0-9.]*s/=s/g; /System.gc/,/User/p' | tail -3 | tr -s ' '
$once '-Xlog:gc*' Once | grep -c 'gc,heap,exit *\] Heap$'
$once '-Xlog:gc*' Once | grep -o 'CPUs: [0-9]* total, [0-9]* available'
$once '-Xlog:gc*' Once | grep -o 'Heap [A-Z][a-z]* Capacity: 64M'
$j -Xlog:class+unload G05Unloading 2>/dev/null | grep -q 'unloading class G05Unloading\$Victim' && echo unloaded
$j -Xlog:class+unload -Xnoclassgc G05Unloading 2>/dev/null | grep -c 'unloading class'
$j -Xlog:class+unload -XX:-ClassUnloading G05Unloading 2>/dev/null | grep -c 'unloading class'
echo done
