# Who reads ALL-UNNAMED reads the class path and what loaders define later: automatic modules, --add-reads.
mkdir cp auto named lib
cat > Lib.java <<'J'
package q;
public class Lib {
    public static String hi() { return "hi of " + Lib.class.getModule(); }
}
J
cat > Main.java <<'J'
package p;
import java.io.File;
public class Main {
    public static void main(String[] a) throws Exception {
        System.out.println(q.Lib.hi().replaceAll("@.*", ""));
        ClassLoader l = new java.net.URLClassLoader(new java.net.URL[] {new File("lib").toURI().toURL()}, null);
        System.out.println(l.loadClass("q.Lib").getMethod("hi").invoke(null).toString().replaceAll("@.*", ""));
    }
}
J
"$JAVAC" -d cp Lib.java
cp -r cp/q lib
"$JAVAC" -cp cp -d auto Main.java
printf 'Automatic-Module-Name: auto.mod\n' > manifest
"$JAVA_HOME/bin/jar" cfm auto.jar manifest -C auto .
"$JAVA_HOME/bin/java" -cp cp -p auto.jar -m auto.mod/p.Main
echo "exit $?"
echo 'module nm { exports p; }' > module-info.java
"$JAVAC" --add-reads nm=ALL-UNNAMED -cp cp -d named Main.java module-info.java
"$JAVA_HOME/bin/java" -cp cp -p named --add-reads nm=ALL-UNNAMED -m nm/p.Main
echo "exit $?"
"$JAVA_HOME/bin/java" -cp cp -p named -m nm/p.Main 2>&1 | sed 's/@0x[0-9a-f]*//g' | head -3
