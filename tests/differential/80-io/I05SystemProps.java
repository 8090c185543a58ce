// vm: own -Dmy.prop=value -Dempty= -Dnoval
// args: one "two words" "" ünï
// covers: JVM_GetProperties JVM_NanoTime JVM_CurrentTimeMillis JVM_ActiveProcessorCount
// covers: JVM_MaxMemory JVM_TotalMemory JVM_FreeMemory
import java.util.*;

public class I05SystemProps {
    public static void main(String[] args) throws Exception {
        System.out.println(Arrays.toString(args));
        for (String k :
                new String[] {
                    "my.prop",
                    "empty",
                    "noval",
                    "java.version",
                    "java.specification.version",
                    "java.vm.specification.version",
                    "java.vm.specification.name",
                    "java.class.version",
                    "os.name",
                    "os.arch",
                    "file.separator",
                    "path.separator",
                    "line.separator",
                    "user.dir",
                    "java.io.tmpdir",
                    "file.encoding",
                    "sun.jnu.encoding",
                    "java.vendor",
                    "sun.arch.data.model",
                    "java.vm.specification.vendor",
                    "sun.java.command",
                    "sun.java.launcher",
                    "java.library.path",
                    "sun.cpu.endian",
                    "native.encoding",
                    "jdk.debug",
                    "java.runtime.version",
                    "user.name",
                    "java.home.no"
                })
            System.out.println(
                    k
                            + "="
                            + (k.equals("user.dir")
                                    ? "" + System.getProperty(k).endsWith("I05SystemProps")
                                    : String.valueOf(System.getProperty(k)).replace("\n", "NL")));
        System.out.println(
                System.getenv("TZ")
                        + " "
                        + (System.currentTimeMillis() > 1600000000000L)
                        + (System.nanoTime() - System.nanoTime() <= 0)
                        + (Runtime.getRuntime().availableProcessors() > 0)
                        + (Runtime.getRuntime().maxMemory() > 100L << 20)
                        + (Runtime.getRuntime().totalMemory()
                                >= Runtime.getRuntime().freeMemory()));
        System.out.println(
                TimeZone.getDefault().getID()
                        + " "
                        + Locale.getDefault()
                        + " "
                        + java.nio.charset.Charset.defaultCharset());
        System.out.println(
                System.lineSeparator().length()
                        + " "
                        + System.getProperty("java.home").endsWith("no")
                        + Runtime.version().feature()
                        + " "
                        + (System.console() == null));
        System.setProperty("x", "y");
        System.out.println(
                System.clearProperty("x")
                        + Integer.getInteger("none", 5)
                        + Boolean.getBoolean("noval"));
        System.err.println("to stderr");
        try {
            System.loadLibrary("nosuchlib");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage().substring(0, 22));
        }
        try {
            System.load("relative");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(System.mapLibraryName("x"));
        System.out.println(System.getSecurityManager() == null);
    }
}
