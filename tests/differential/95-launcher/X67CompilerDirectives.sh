# Directives for the compiler: files with and without errors, what is printed, how commands change the stack, what they do.
# timeout: 240
cat > D.java <<'J'
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.ObjectName;

public class D {
    static String run(String command, String... words) throws Exception {
        Object[] arguments = words.length == 0 ? null : new Object[] {words};
        String[] types = words.length == 0 ? null : new String[] {String[].class.getName()};
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "compilerDirectives" + command, arguments, types);
        } catch (Exception e) {
            return e.getCause() + "\n";
        }
    }
    static String add(String text) throws Exception {
        Files.writeString(Path.of("d.json"), text);
        return run("Add", "d.json");
    }
    /** Without the options that have their default. */
    static String print() throws Exception {
        StringBuilder b = new StringBuilder();
        String last = null, all = run("Print");
        String[] defaults = all.substring(all.indexOf("(default)")).split("\n")[4].trim().split(" ");
        for (String l : all.split("\n")) {
            if (l.startsWith("  Enable")) {
                String[] own = l.trim().split(" ");
                l = own.length + " options:";
                for (int i = 0; i < own.length; i++) if (!own[i].equals(defaults[i])) l += " " + own[i];
            }
            b.append(l).append('\n');
        }
        return b.toString();
    }
    public static void main(String[] a) throws Exception {
        if (a.length == 0) return;
        System.out.print(run("Print"));
        for (String text : Files.readString(Path.of("cases")).split("\n")) {
            text = text.replace("~", "\n").replace("^", "\t");
            System.out.print("== " + text + "\n" + add(text) + (a[0].equals("print") ? print() : ""));
            System.out.print(run("Remove"));
        }
        System.out.print(add("[{match:\"a.b\"},{match:\"c.d\",Exclude:true}]") + add("{match:\"e.f\"}") + print());
        System.out.print(run("Remove") + print() + run("Remove") + print() + run("Clear") + print() + run("Remove") + run("Add", "absent") + run("Add"));
        String many = "[";
        for (int i = 0; i < 48; i++) many += "{match:\"a.m" + i + "\"},";
        System.out.print(add(many + "]") + add("[{match:\"a.b\"},{match:\"a.b\"}]") + add("[{match:\"a.b\"}]") + run("Clear") + print());
    }
}
J
cat > T.java <<'J'
public class T {
    static int f(int x) { return x * 3 + 1; }
    static int g(int x) { return x * 5 + 1; }
    public static void main(String[] a) {
        int s = 0;
        for (int i = 0; i < 200_000; i++) s += f(i) + g(i);
        System.out.println(s);
    }
}
J
"$JAVAC" D.java T.java
cat > cases <<'C'
[ { match: "*.*" } ]
{ match: "*.*" , c1 : { } , c2 : { } , }
[{match: ["a.b", "c/d.e*"], c1: {Exclude: true}, c2: {Log: false}, inline: ["+x.y", "-z.w(I)V"], BackgroundCompilation: false, Exclude: false}, {match: "p.q(I)V"}]
[{match:"a.b", inline:["+a.b","+c.d"], c1:{inline:"-x.y",Exclude:true}, c2:{Enable:false,Exclude:true}}]
[{match:"a.b", Exclude:true, c1:{Exclude:false}},{match:"a.b", Enable:true},{match:"a.b", Enable:false, Log:true}]
[{match:"a.b", RepeatCompilation: -5, VectorizeDebug: -3, MaxNodeLimit: 0x10, DisableIntrinsic: "_getClass,_hashCode", ControlIntrinsic: "+_getClass"}]
[{match:"a.b", RepeatCompilation: 1e3, MaxNodeLimit: 99999999999999999999}]
[{m:"a.b", Exc:true, DumpR:true, "PRINTI": true}]
[{match: "a.b", match: "java.lang.String::indexOf"}, {"match": "*a*.*b*"}, {MATCH:"a b"}, {match:"a.b (I)V"}, {match:"a.<init>"}]
/* c */ [ /* d */ {match: "a.b" /* e */, // f
[~ // c~  {~  match:"a.b", // d~  c1: {}~ }]
// c~[{match:"a.b"}]
[ // c~{match:"a.b"}]
[]
[{}]
{}
[{match: "foo.bar", Foo: true}]
[~ {~  match: "a.b",~  Foo: 3~ },~ {~ match: "c.d"~ }~]~
[~^{~^^match: "a.b"~^^c1: {}~ }]~
[{match: "foo.bar", Exclude: 3}]
[{match: "foo.bar", Exclude: "x"}]
[{match: "foo.bar", Exclude: 1.5}]
[{match: "foo.bar", Exclude: null}]
[{match: "foo.bar", Exclude: [true]}]
[{match: "foo.bar", Exclude: {}}]
[{match: "foo.bar", RepeatCompilation: 5.5}]
[{match: "foo.bar", RepeatCompilation: true}]
[{match: "foo.bar", VectorizeDebug: true}]
[{match: "foo.bar", DisableIntrinsic: 3}]
[{match: "foo.bar", RepeatCompilation: "3"}]
[{match: "foo.bar", RepeatCompilation: -}]
[{match: "foo.bar", RepeatCompilation: 3x}]
[{match: foo}]
[{match: "foo"}]
[{match: ["foo", "a.b"]}]
[{match: ""}]
[{match: 3}]
[{match: {}}]
[{match: []}]
[{match: [3]}]
[{match: "a.b" "c.d"}]
[{match "a.b"}]
[{match: "a*b.c"}]
[{match: "java.lang.String.indexOf"}]
[{match: "a.b extra"}]
[{match: "a.b", inline: "x.y"}]
[{match: "a.b", inline: true}]
[{match: "a.b", inline: ["+a"]}]
[{match: "a.b", c3: {}}]
[{match: "a.b", c1: {c2: {}}}]
[{match: "a.b", c1: {match: "x.y"}}]
[{match: "a.b", c1: 3}]
[{match: "a.b", c1: true}]
[{match: "a.b", c1: []}]
[{match: "a.b",,}]
[{match: "a.b", "x y": 3}]
[{match: "a.b", $x: 3}]
[{match: "a.b", x-y: 3}]
[{match: "a.b", Exclude: TRUE}]
[{match: "a.b", Exclude: tru}]
[{match: "a.b", Exclude: t
[{match: "a.b", Exclude: 3
[{match: "a.b", Exclude
[{match: "a.b", Exclude:
[{match: "a.b"}
[{match: "a.b"
[{match: "a.b
[{match: "a.b"}] x
[{match: "a.b"}] /* x
[{match: "a.b"}}
[,]
[3]
[[{match: "a.b"}]]
[
{
x
 x
"a"
C
printf '[{match:"T.f",Exclude:true}]' > good.json
printf '[\n {match:"T.f",Foo:true}\n]' > bad.json
java() { "$JAVA_HOME/bin/java" -XX:+UnlockDiagnosticVMOptions "$@"; }
java -cp . D print
for o in -XX:CompilerDirectivesFile=good.json "-XX:CompilerDirectivesFile=good.json -XX:+CompilerDirectivesPrint" "-Xbatch -XX:+CompilerDirectivesPrint" "-XX:+CompilerDirectivesPrint -XX:TieredStopAtLevel=1" \
  "-XX:+CompilerDirectivesPrint -XX:DisableIntrinsic=_hashCode -XX:RepeatCompilation=2 -XX:ControlIntrinsic=+_getClass" \
  -XX:CompilerDirectivesFile=absent "-XX:CompilerDirectivesFile=good.json -XX:CompilerDirectivesLimit=1" -XX:CompilerDirectivesFile=bad.json; do
  echo "== $o"
  java $o -cp . D
  echo "ends with $?"
done
"$JAVA_HOME/bin/java" -XX:CompilerDirectivesFile=good.json -cp . D
# What is excluded: by a directive, by a command where no directive speaks, by neither.
while IFS= read -r d; do
  echo "$d" > t.json
  for c in "" -XX:CompileCommand=quiet\ -XX:CompileCommand=exclude,T.f; do
    echo "== $d $c"
    java -Xbatch -XX:TieredStopAtLevel=1 -XX:CompilerDirectivesFile=t.json $c -XX:+PrintCompilation -cp . T 2>&1 | grep -o "[a-z ]* [0-9] *T::[fg].*\|###.*T::[fg].*" | sed 's/  */ /g' | sort
  done
done <<'C'
[{match: "T.f", c1: {Exclude: true}}]
[{match: "T.f", c2: {Exclude: true}}]
[{match: "T.f", Exclude: false}, {match: "T.*", Exclude: true}]
[{match: "T.f"}, {match: "T.f", Log: false}, {match: "T.*", Exclude: true}]
[{match: "T.f", Enable: false, Exclude: true}, {match: "*.g", Exclude: true}]
[{match: "T.f", CompilerDirectivesIgnoreCompileCommands: true}]
C
