// covers: JVM_GetSystemPackage JVM_GetSystemPackages
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Packages of the boot loader are those it found classes of; a proxy's package, defined into it, is none. */
public class R12Packages {
    public static void main(String[] args) {
        Runnable r = (Runnable) Proxy.newProxyInstance(null, new Class<?>[] {Runnable.class}, (p, m, a) -> null);
        System.out.println(r.getClass().getClassLoader());
        Package[] all = Package.getPackages();
        Set<String> names = new TreeSet<>();
        int missing = 0;
        for (Package p : all) {
            if (p == null) missing++; else names.add(p.getName());
        }
        System.out.println("without a Package: " + missing);
        List<String> looked = new ArrayList<>();
        for (String n : new String[] {"java.lang", "java.util", "java.lang.reflect", "jdk.proxy1", "com.sun.proxy.jdk.proxy1", "no.such"}) {
            looked.add(n + " " + names.contains(n) + " " + Objects.toString(Package.getPackage(n)));
        }
        looked.forEach(System.out::println);
        System.out.println(Runnable.class.getPackage() == Package.getPackage("java.lang"));
        System.out.println(r.getClass().getPackage());
    }
}
