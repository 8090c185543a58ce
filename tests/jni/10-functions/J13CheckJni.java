// vm: own
// covers: option(-Xcheck:jni)
import java.io.*;
import java.nio.file.*;
import java.util.*;

/** What -Xcheck:jni says to mistakes of native code, each in a VM of its own. */
public class J13CheckJni {
    static native void run(String what, Object o, int[] a);

    int n;
    static long s;

    void m() {}

    static void sm() {}

    static String sum(int a, double b, long c, float d, Object e, int f, long g, double h, int i) {
        return a + " " + b + " " + c + " " + d + " " + (e instanceof J13CheckJni) + " " + f + " " + g + " " + h + " " + i;
    }

    static class Other {
        int k;

        void om() {}
    }

    static final String[] MISTAKES = {
        "pending", "unchecked", "uncheckedstatic", "uncheckedstore", "locals", "localsok", "badref",
        "deletedref", "deletelocal", "deleteglobal", "deleteweak", "fieldtype", "fieldnull", "fieldstatic",
        "staticfieldtype", "staticfieldinst", "staticfieldclass", "nostring", "nullstring", "noarray",
        "nullarray", "arraytype", "arrayregion", "objarray", "intofobj", "crit", "methodclass", "methodnull",
        "objnull", "noclass", "nullclass", "throwclass", "throwobj", "thread", "primclass", "primclass2",
        "monitor", "monitornull", "badname", "samenull", "instanceof", "newobj", "neg", "neg2", "allowed",
        "forbidden", "variadic", "newobject", "asked", "frame", "direct", "direct2", "ok"
    };

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            System.loadLibrary("jnitest");
            run(args[0], new J13CheckJni(), new int[4]);
            System.out.println("end");
            return;
        }
        for (String w : MISTAKES) {
            List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-CreateCoredumpOnCrash",
                "-Xcheck:jni", "-Xshare:auto", "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-cp", System.getProperty("java.class.path"), "J13CheckJni", w);
            Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
            System.out.println("== " + w);
            try (BufferedReader in = p.inputReader()) {
                in.lines().filter(l -> !l.isEmpty() && !l.startsWith("#") && !l.contains("ClassLoader")).limit(20).forEach(System.out::println);
            }
            System.out.println("exit code " + p.waitFor());
        }
    }
}
