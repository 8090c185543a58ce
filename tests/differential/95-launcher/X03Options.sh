# What the VM says about options it cannot take is compared by exit code and first line.
# Stamps of log lines are times.
run() { "$JAVA_HOME/bin/java" "$@" -cp "$CLASSES" B01Hello > o 2> e; echo "exit $?"; cat o <(head -1 e) | sed "s|^\[[0-9.]*s\]|[TIME]|"; }
run -Xnope
run -XX:+NoSuchFlag
run -XX:NoSuchFlag=1
run -XX:+IgnoreUnrecognizedVMOptions -XX:+NoSuchFlag
run -Xmx
run -Xmx1k
run -Xmxabc
run -Xms64m -Xmx32m
run -Xss1
run -Xmx64m -Xms16m -Xss1m
run -XX:MaxHeapSize=64m -XX:InitialHeapSize=8m
run -ea -esa -Dp=q -Xverify:none -Xint -Xbatch
run -Xlog:nosuchtag
run -Xlog:disable -Xlog:all=off
run -noverify
run -Xshare:off -Xrs
cat > A.java <<'J'
public class A { public static void main(String[] a) { boolean on = false; assert on = true; System.out.println("assertions " + on + " " + new A().getClass().desiredAssertionStatus()); assert a.length > 5 : "failed " + a.length; } }
J
"$JAVAC" A.java
cat > P.java <<'J'
public class P { public static void main(String[] a) { System.out.println(Runtime.getRuntime().availableProcessors()); } }
J
"$JAVAC" P.java
for n in 1 7; do "$JAVA_HOME/bin/java" -XX:ActiveProcessorCount=$n -cp . P; done
for o in -ea -da -ea:A -ea:other -da:A -ea:... "-ea -da:A" -enableassertions; do "$JAVA_HOME/bin/java" $o -cp . A; echo "$o exit $?"; done
