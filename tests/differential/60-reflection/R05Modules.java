// covers: JVM_DefineModule JVM_AddReadsModule JVM_AddModuleExports
import java.lang.module.*;
import java.util.*;

public class R05Modules {
    public static void main(String[] args) throws Exception {
        Module base = Object.class.getModule(), un = R05Modules.class.getModule();
        System.out.println(
                base
                        + " "
                        + un.isNamed()
                        + base.isExported("java.lang")
                        + base.isExported("jdk.internal.misc")
                        + base.isOpen("java.lang")
                        + un.canRead(base)
                        + base.canRead(un)
                        + base.isExported("jdk.internal.misc", un));
        System.out.println(
                base.getDescriptor().name()
                        + base.getDescriptor().packages().contains("java.util")
                        + new TreeSet<>(
                                ModuleLayer.boot()
                                        .findModule("java.logging")
                                        .get()
                                        .getDescriptor()
                                        .requires()));
        System.out.println(
                ModuleLayer.boot().modules().stream()
                        .map(Module::getName)
                        .filter(n -> n.startsWith("java."))
                        .sorted()
                        .toList());
        try {
            Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null);
        } catch (IllegalAccessException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@HASH"));
        }
        System.out.println(
                java.sql.Timestamp.class.getModule().getName()
                        + " "
                        + int[].class.getModule().getName()
                        + " "
                        + new int[0][0].getClass().getModule()
                        + List.of().getClass().getModule());
        un.addReads(ModuleLayer.boot().findModule("java.desktop").orElse(base));
        System.out.println(un.getClassLoader() == R05Modules.class.getClassLoader());
        System.out.println(
                base.getResourceAsStream("java/lang/Object.class").readAllBytes().length > 100);
        System.out.println(String.class.getPackage() + " " + Package.getPackage("java.util"));
        System.out.println(ModuleFinder.ofSystem().find("java.xml").get().location().get());
    }
}
