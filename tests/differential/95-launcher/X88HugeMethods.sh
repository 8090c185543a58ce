#!/bin/bash
# Methods of more than 8000 bytes stay in the interpreter, unless -XX:-DontCompileHugeMethods; what gets a smaller body is compiled.
make() { # name, statements of 10 bytes
  echo "    static int $1(int x) {"
  for ((i = 0; i < $2; i++)); do echo "        x = x * 1003 + 1007;"; done
  echo "        return x;"
  echo "    }"
}
mkdir small agent
for n in 799 800; do
  { echo "public class R {"; make body $n; echo "}"; } > R.java
  if [ $n = 799 ]; then "$JAVAC" -d small R.java; fi
done
{
  echo "public class H {"
  make fits 799
  make huge 800
  cat << 'J'
    static int loops(int x) {
        for (int i = 0; i < 2; i++) x += fits(i) ^ huge(i) ^ R.body(i);
        return x;
    }
    public static void main(String[] a) throws Exception {
        int s = 0;
        for (int i = 0; i < 400; i++) s += loops(i);
        System.out.println(s);
        if (a.length == 0) return;
        System.out.println("then");
        byte[] bytes = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(a[0]));
        Agent.inst.redefineClasses(new java.lang.instrument.ClassDefinition(R.class, bytes));
        for (int i = 0; i < 400; i++) s += loops(i);
        System.out.println(s);
    }
}
J
} > H.java
cat > agent/Agent.java << 'J'
import java.lang.instrument.Instrumentation;
public class Agent {
    public static Instrumentation inst;
    public static void premain(String a, Instrumentation i) { inst = i; }
}
J
"$JAVAC" -d agent agent/Agent.java
echo 'Premain-Class: Agent
Can-Redefine-Classes: true' > manifest
"$JAVA_HOME/bin/jar" cfm agent.jar manifest -C agent Agent.class
"$JAVAC" -cp agent.jar:. H.java R.java
tell() { # log, what is asked of which methods
  for m in H::fits H::huge H::loops R::body; do
    if grep -q " $m (" "$1"; then echo "$2: $m is compiled"; else echo "$2: $m is not"; fi
  done
}
for flag in + -; do
  "$JAVA_HOME/bin/java" -Xbatch -XX:CompileThresholdScaling=0.02 -XX:${flag}DontCompileHugeMethods -XX:+PrintCompilation -cp . H > log
  tell log $flag
  grep -E '^-?[0-9]+$' log
done
"$JAVA_HOME/bin/java" -Xbatch -XX:CompileThresholdScaling=0.02 -XX:+PrintCompilation -javaagent:agent.jar -cp . H small/R.class > log
sed '/^then$/,$d' log > before
sed '1,/^then$/d' log > after
tell before before | grep R::
tell after after | grep R::
grep -E '^-?[0-9]+$' log
"$JAVA_HOME/bin/java" -XX:+PrintFlagsFinal -version 2> /dev/null | grep DontCompileHugeMethods | tr -s ' '
