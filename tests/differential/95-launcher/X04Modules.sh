mkdir -p src/mone/p1 src/mtwo/p2
echo 'module mone { exports p1; uses p1.Service; provides p1.Service with p1.Impl; }' > src/mone/module-info.java
echo 'package p1; public interface Service { String name(); }' > src/mone/p1/Service.java
echo 'package p1; public class Impl implements Service { public String name() { return "impl"; } private static int hidden = 5; }' > src/mone/p1/Impl.java
echo 'module mtwo { requires mone; requires java.logging; uses p1.Service; }' > src/mtwo/module-info.java
cat > src/mtwo/p2/Main.java <<'J'
package p2;
public class Main {
    public static void main(String[] a) throws Exception {
        System.out.println(Main.class.getModule() + " " + p1.Impl.class.getModule() + " " + new java.util.TreeSet<>(Main.class.getModule().getDescriptor().requires()));
        for (p1.Service s : java.util.ServiceLoader.load(p1.Service.class)) System.out.println(s.name());
        try { var f = p1.Impl.class.getDeclaredField("hidden"); f.setAccessible(true); System.out.println(f.get(null)); } catch (RuntimeException e) { System.out.println(e.getMessage()); }
        try { Class.forName("sun.security.provider.Sun").getDeclaredConstructor().newInstance(); System.out.println("made"); } catch (IllegalAccessException e) { System.out.println(e.getMessage()); }
        System.out.println(Main.class.getModule().getLayer() == ModuleLayer.boot());
        System.out.println(ModuleLayer.boot().modules().stream().map(Module::getName).filter(n -> n.equals("java.sql") || n.equals("mone")).sorted().toList());
        throw new IllegalStateException("with a module in the trace");
    }
}
J
"$JAVAC" -d mods --module-source-path src $(find src -name '*.java')
j="$JAVA_HOME/bin/java"
"$j" $VM_OPTIONS -p mods -m mtwo/p2.Main; echo "exit $?"
"$j" $VM_OPTIONS --module-path mods --add-opens mone/p1=mtwo --add-exports java.base/sun.security.provider=mtwo --add-modules java.sql -m mtwo/p2.Main; echo "exit $?"
"$j" $VM_OPTIONS -p mods -m mtwo; echo "exit $?"
"$j" $VM_OPTIONS -p mods -m nosuch/p.Main; echo "exit $?"
"$j" $VM_OPTIONS -p mods --limit-modules java.base -m mtwo/p2.Main 2>&1 | sed "s/Module .* not found/Module M not found/"; echo "exit $?"
"$j" $VM_OPTIONS -cp mods/mone:mods/mtwo p2.Main 2>&1 | tail -n +2 | head -2
mkdir patch && mkdir -p patchsrc/p1 && echo 'package p1; public class Impl implements Service { public String name() { return "patched"; } private static int hidden; }' > patchsrc/p1/Impl.java
"$JAVAC" -cp mods/mone -d patch patchsrc/p1/Impl.java
"$j" $VM_OPTIONS -p mods --patch-module mone=patch -m mtwo/p2.Main 2>/dev/null | head -2
"$JAVA_HOME/bin/jar" --create --file mone.jar --module-version 1.5 -C mods/mone . && "$j" -p mone.jar --describe-module mone | sed 's/file.*//'
