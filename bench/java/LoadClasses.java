import java.util.jar.JarFile;

/** Loads, verifies and links every class of some jars that stand on the boot class path; prints how many. */
public class LoadClasses {
    public static void main(String[] args) throws Exception {
        int loaded = 0;
        int refused = 0;
        for (String jar : args) {
            try (JarFile file = new JarFile(jar)) {
                for (var entries = file.entries(); entries.hasMoreElements(); ) {
                    String name = entries.nextElement().getName();
                    if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("-info.class")) {
                        continue;
                    }
                    try {
                        Class<?> c = Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, null);
                        // Makes the VM link it.
                        c.getDeclaredConstructors();
                        loaded++;
                    } catch (LinkageError | ClassNotFoundException e) {
                        refused++;
                    }
                }
            }
        }
        System.out.println("classes " + loaded + " " + refused);
    }
}
