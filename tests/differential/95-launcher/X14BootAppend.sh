# Directories and jars appended to the boot class path; what is neither is skipped.
mkdir -p src/pk d
cat > src/pk/A.java <<'J'
package pk;
public class A { public static String s() { return "A says " + B.t() + (A.class.getClassLoader() == null); } }
J
cat > src/pk/B.java <<'J'
package pk;
class B { static String t() { return "t"; } }
J
echo 'public class Def { }' > src/Def.java
cat > M.java <<'J'
public class M {
    public static void main(String[] a) throws Throwable {
        for (String n : new String[] {"pk.A", "Def", "pk.C", "pk.Broken"}) {
            try {
                Class<?> c = Class.forName(n);
                System.out.println(c.getClassLoader() + " " + c.getModule().isNamed() + " " + c.getPackage()
                    + " " + c.getPackage().getImplementationTitle() + " " + c.getPackage().isSealed()
                    + " " + c.getProtectionDomain().getCodeSource());
                String r = String.valueOf(ClassLoader.getSystemResource(n.replace('.', '/') + ".class"));
                System.out.println(r.substring(0, 4) + r.substring(r.lastIndexOf('/')));
                if (n.equals("pk.A")) System.out.println(c.getMethod("s").invoke(null));
            } catch (Throwable t) {
                System.out.println(t);
            }
        }
    }
}
J
"$JAVAC" -d out src/pk/*.java
"$JAVAC" -d d src/Def.java
"$JAVAC" -d m M.java
printf 'Implementation-Title: the title\nSealed: true\n' > mf
"$JAVA_HOME/bin/jar" cfm a.jar mf -C out .
"$JAVA_HOME/bin/jar" cf0M stored.jar -C out .
cp a.jar cut.jar; truncate -s 300 cut.jar; echo junk > junk.jar; : > empty.jar
run() { "$JAVA_HOME/bin/java" "$@" -cp m M; echo "exit $?"; }
run -Xbootclasspath/a:nope.jar:junk.jar:empty.jar:cut.jar -Xbootclasspath/a:a.jar:d
run -Xbootclasspath/a:stored.jar
run -Xbootclasspath/a:out:a.jar:d
run -Xbootclasspath/a::d:
run
