mkdir -p src lib
cat > src/Main.java <<'J'
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println("main " + args.length + " " + dep.Dep.name());
        System.out.println(new String(Main.class.getResourceAsStream("/data.txt").readAllBytes()).trim());
        System.out.println(Main.class.getPackage().getImplementationVersion());
        System.out.println(Main.class.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("app.jar"));
    }
}
J
mkdir -p src/dep; echo 'package dep; public class Dep { public static String name() { return "dep"; } }' > src/dep/Dep.java
echo "resource" > data.txt
"$JAVA_HOME/bin/javac" -d out src/Main.java src/dep/Dep.java
mkdir depout; mv out/dep depout/
printf 'Main-Class: Main\nClass-Path: lib/dep.jar\nImplementation-Version: 7\n' > m.txt
"$JAVA_HOME/bin/jar" cf lib/dep.jar -C depout dep
"$JAVA_HOME/bin/jar" cfm app.jar m.txt -C out Main.class data.txt
"$JAVA_HOME/bin/jar" tf app.jar
"$JAVA_HOME/bin/java" $VM_OPTIONS -jar app.jar a b
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp 'app.jar:lib/*' Main x
"$JAVA_HOME/bin/java" $VM_OPTIONS -Dk=v -jar lib/dep.jar; echo "exit $?"
"$JAVA_HOME/bin/java" $VM_OPTIONS -jar none.jar; echo "exit $?"
"$JAVA_HOME/bin/jar" xf app.jar && ls
