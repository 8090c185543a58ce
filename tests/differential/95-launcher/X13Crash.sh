# covers: Unsafe(crash)
# A store to address 0 ends the VM with an error report that names the Java frames, and with SIGABRT's exit code.
cat > Crash.java <<'E'
public class Crash {
    static void poke(sun.misc.Unsafe u) { u.putAddress(0, 1); }
    public static void main(String[] a) throws Exception {
        var f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        poke((sun.misc.Unsafe) f.get(null));
    }
}
E
"$JAVAC" -nowarn Crash.java 2>/dev/null
ulimit -c 0
# The shell says which process was aborted, by its id.
{ "$JAVA_HOME/bin/java" $VM_OPTIONS -XX:ErrorFile=report.txt -cp . Crash > out.txt 2> err.txt; } 2> /dev/null
echo "exit $?"
grep -c 'A fatal error has been detected by the Java Runtime Environment' out.txt
for w in 'SIGSEGV (0xb) at pc=' 'S U M M A R Y' 'T H R E A D' 'Java frames' 'Crash.poke(Lsun/misc/Unsafe;)V' 'Crash.main(\[Ljava/lang/String;)V' 'siginfo: .*SEGV_MAPERR.*0x0000000000000000' 'P R O C E S S' 'S Y S T E M'; do
  grep -q "$w" report.txt && echo "has $w" || echo "lacks $w"
done
