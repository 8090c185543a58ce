# The log of exceptions: those that Java code throws, those that the VM makes, and who handles them; tags that only HotSpot logs under.
cat > Thrower.java <<'J'
public class Thrower {
    static class Own extends RuntimeException {}
    static int element(int[] a, int i) { return a[i]; }
    static void thrower() throws Exception { throw new Exception("by code"); }
    static void around() throws Exception { thrower(); }
    static void each() throws Exception {
        try { around(); } catch (Exception e) { }
        try { element(new int[1], 3); } catch (RuntimeException e) { }
        try { throw new Own(); } catch (Own e) { }
        try { Class.forName("NoSuchClass"); } catch (ClassNotFoundException e) { }
    }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 300; i++) each();
        each();
    }
}
J
"$JAVAC" -g:none Thrower.java
j="$JAVA_HOME/bin/java $VM_OPTIONS -cp ."
$j -Xlog:exceptions=info Thrower > log; echo "exit $?"
# HotSpot's compiled code makes an ArrayIndexOutOfBoundsException without a message now and then, when it was compiled soon.
sed "s/0x[0-9a-f]*/ADDRESS/g; s/^\[[0-9.]*s\]//; /'java.lang.ArrayIndexOutOfBoundsException'{ADDRESS}>/d" log > lines
for class in java/lang/Exception java/lang/ArrayIndexOutOfBoundsException 'Thrower\$Own' java/lang/ClassNotFoundException; do
  grep "Exception <a '$class'" lines | sed 's/> .*/>/' | sort -u | head -3
done
grep "Found matching handler.*method \"each\"" lines | sort -u
grep -A1 "thrown in interpreter method.* 'thrower' " lines | head -2
grep -A2 "ArrayIndex.*> (ADDRESS) $" lines | sed 's/\[.*, line [0-9]*\]/[PLACE]/' | sed -n 1,3p
# Tags under which one of the two has nothing to say.
$j -Xlog:class+path,stacktrace,thread+smr=debug,defaultmethods=trace:file=none.txt Thrower 2>/dev/null; echo "exit $?"
$j -Xlog:async Thrower; echo "exit $?"
