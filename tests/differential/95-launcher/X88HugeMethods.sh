#!/bin/bash
# Methods of more than 8000 bytes stay in the interpreter, unless -XX:-DontCompileHugeMethods.
make() { # name, statements of 8 bytes
  echo "    static int $1(int x) {"
  for ((i = 0; i < $2; i++)); do echo "        x = x * 1003 + 1007;"; done
  echo "        return x;"
  echo "    }"
}
{
  echo "public class H {"
  make fits 990
  make huge 1010
  cat << 'J'
    static int loops(int x) {
        for (int i = 0; i < 2; i++) x += fits(i) ^ huge(i);
        return x;
    }
    public static void main(String[] a) {
        int s = 0;
        for (int i = 0; i < 400; i++) s += loops(i);
        System.out.println(s);
    }
}
J
} > H.java
"$JAVAC" H.java
for flag in + -; do
  "$JAVA_HOME/bin/java" -Xbatch -XX:CompileThresholdScaling=0.02 -XX:${flag}DontCompileHugeMethods -XX:+PrintCompilation -cp . H > log
  for m in fits huge loops; do
    if grep -q " H::$m (" log; then echo "$flag: $m is compiled"; else echo "$flag: $m is not"; fi
  done
  grep -E '^-?[0-9]+$' log
done
"$JAVA_HOME/bin/java" -XX:+PrintFlagsFinal -version 2> /dev/null | grep DontCompileHugeMethods | tr -s ' '
