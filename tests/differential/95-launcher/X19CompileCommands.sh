#!/bin/bash
# CompileCommand, CompileCommandFile and CompileOnly: what is echoed, what is refused.
cat > H.java <<'J'
public class H {
    static int f(int x) { return x * 3 + 1; }
    public static void main(String[] a) {
        int s = 0;
        for (int i = 0; i < 100_000; i++) s += f(i);
        System.out.println(s);
    }
}
J
"$JAVAC" H.java
run() { "$JAVA_HOME/bin/java" "$@" -cp . H 2> /dev/null; echo "ends with $?"; }
while IFS= read -r c; do
  echo "== $c"
  run "-XX:CompileCommand=$c"
done <<'C'
exclude,H.f
exclude,*.f
exclude,H.f(I)I
exclude H f
exclude,H::f,true
exclude,H::f,false
exclude,H::f,maybe
exclude,H.f extra
EXCLUDE,H.f
exclude,java/lang/String.indexOf
exclude,java.lang.String::indexOf
exclude,java.lang.String.indexOf
exclude,*H*.*f*
exclude,H.*f*x
exclude,H.<init>
exclude
exclude,H
exclude,.f
exclude,H.
exclude,H::f::g
compileonly,H.f
print,,
foo,H.f
quiet
blackhole,H.f
inline,H.f
dontinline,H.f
printinlining,H.f
CompileThresholdScaling,H.f
CompileThresholdScaling,H.f,x
CompileThresholdScaling,H.f,0.5
RepeatCompilation,H.f,3
RepeatCompilation,H.f,x
DisableIntrinsic,H.f,_getClass
BackgroundCompilation,H.f,false
option
option,H.f
option,H.f,Foo
option,H.f,bool,PrintInlining
option,H.f,bool,PrintInlining,false
option,H.f,PrintInlining,ReplayInline
option,H.f,foo,PrintInlining,true
option,H.f,intx,CompileThresholdScaling,3
option,H.f,double,CompileThresholdScaling,0.1
C
run -XX:CompileCommand=exclude,H.f -XX:CompileCommand=quiet -XX:CompileCommand=exclude,H.main
run $'-XX:CompileCommand=exclude,H.f\nexclude,H.main'
run -XX:+UnlockExperimentalVMOptions -XX:CompileCommand=blackhole,H.f
printf 'exclude H.f\n# a comment\n   exclude   H.main   \n\nfoo H.f\nquiet\nexclude H.g\n' > commands
run -XX:CompileCommandFile=commands -XX:CompileCommand=exclude,H.h
run -XX:CompileCommandFile=absent
for o in H H.f H::f java/lang/String.indexOf,H java.lang.String::indexOf,H::f .f 'H*.f'; do
  echo "== $o"
  run "-XX:CompileOnly=$o"
done
# What is printed begins under the same headings.
run -Xbatch -XX:CompileCommand=print,H.f | grep -v "^ \|^$" | sed -n 's/[0-9]\+ \+[0-9]\+/N N/;1,4p' | sed 's/ [0-9] / L /;s/ b / /;s/  */ /g'
"$JAVA_HOME/bin/java" -Xbatch -XX:TieredStopAtLevel=1 -XX:+PrintCompilation -XX:CompileCommand=exclude,H.f -cp . H 2>&1 | grep "xclud"
# Nothing is compiled; everything is, and waited for.
"$JAVA_HOME/bin/java" -XX:CompileThresholdScaling=0 -XX:+PrintCompilation -cp . H 2>&1 | grep -v "^ *[0-9]* *[0-9]* *n 0 "
"$JAVA_HOME/bin/java" -Xcomp -XX:TieredStopAtLevel=1 -XX:+PrintCompilation -cp . H 2>&1 | grep -o -m 1 " b  1       H::main"
