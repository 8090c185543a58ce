#!/bin/bash
# Sizes of the code cache, PrintCodeCache, the commands Compiler.* of jcmd.
# One segment: HotSpot has that below 240 MB.
plain() { sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/[0-9]+(Kb)?/N\1/g'; }
for o in -XX:ReservedCodeCacheSize=1m -XX:ReservedCodeCacheSize=3g "-XX:InitialCodeCacheSize=300m -XX:ReservedCodeCacheSize=200m" \
         -XX:InitialCodeCacheSize=1k "-XX:ReservedCodeCacheSize=2m -XX:InitialCodeCacheSize=1m"; do
  echo "== $o"
  "$JAVA_HOME/bin/java" $o -cp . NoSuchClass 2>&1 | head -3
done
cat > S.java <<'J'
public class S {
    public static void main(String[] a) throws Exception {
        int s = 0;
        for (int i = 0; i < 2_000_000; i++) s += Integer.toString(i).length();
        System.out.println(s);
        System.in.read();
    }
}
J
"$JAVAC" S.java
"$JAVA_HOME/bin/java" -XX:ReservedCodeCacheSize=64m -XX:+PrintCodeCache -cp . S < /dev/null | plain
mkfifo in
"$JAVA_HOME/bin/java" -Xbatch -XX:ReservedCodeCacheSize=64m -cp . S < in > out &
pid=$!
exec 3> in
until [ -s out ]; do sleep 0.1; done
tell() { "$ORACLE_HOME/bin/jcmd" $pid "$@" | tail -n +2; }
tell Compiler.codecache | plain
tell Compiler.codelist | grep -E "^[0-9]+ [0-9]+ 0 java.lang.Integer.toString\(I\)Ljava/lang/String; \[0x[0-9a-f]{16}, 0x[0-9a-f]{16} - 0x[0-9a-f]{16}\]$" | plain | sort -u
tell Compiler.queue | grep -v "^ *[0-9]" | grep -v "^C2" | sed -n '1p;/^C1 compile queue/p'
tell Compiler.perfmap
grep -qE "java.lang.Integer(\.|::)toString" /tmp/perf-$pid.map && echo named
for c in codecache codelist queue perfmap; do tell help Compiler.$c; done
exec 3>&-
wait $pid
rm -f /tmp/perf-$pid.map

# Code of a class goes with the class.
mkdir gone
cat > gone/Gone.java <<'J'
public class Gone implements Runnable {
    static int s;
    static int step(int i) { return i * 31 ^ i >>> 3; }
    public void run() { for (int i = 0; i < 300_000; i++) s += step(i); }
}
J
cat > U.java <<'J'
import java.net.*;
import java.nio.file.*;

public class U {
    static void load() throws Exception {
        try (URLClassLoader l = new URLClassLoader(new URL[] {Path.of("gone").toUri().toURL()})) {
            ((Runnable) l.loadClass("Gone").getConstructor().newInstance()).run();
        }
        System.out.println("there");
        System.in.read();
    }
    public static void main(String[] a) throws Exception {
        load();
        for (int i = 0; i < 3; i++) System.gc();
        System.out.println("gone");
        System.in.read();
    }
}
J
"$JAVAC" -d gone gone/Gone.java
"$JAVAC" U.java
rm out
"$JAVA_HOME/bin/java" -Xbatch -cp . U < in > out &
pid=$!
exec 3> in
for word in there gone; do
  until grep -qs $word out; do sleep 0.1; done
  echo "$word: $(tell Compiler.codelist | grep -c "Gone.step(I)I" | sed 's/[1-9].*/some/')"
  printf x >&3
done
exec 3>&-
wait $pid
