// vm: own -XX:TieredStopAtLevel=1
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Natives that compiled code does in line have a frame where they throw, as they have when they are called. On HotSpot, too, but
 * for those in code of its second compiler, now and then: its first alone (an option that changes nothing on Concord).
 */
public class E21NativeFrames {
    interface Throwing {
        Object run() throws Throwable;
    }

    static class NotCloneable {
        Object copy() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    abstract static class Abstract { }

    static class Fails {
        static {
            if (true) {
                throw new IllegalStateException("in the initializer");
            }
        }
    }

    static void show(String what, Throwing t) {
        Set<String> seen = new LinkedHashSet<>();
        for (int i = 0; i < 4000; i++) {
            try {
                t.run();
                seen.add("nothing thrown");
            } catch (Throwable e) {
                StringBuilder text = new StringBuilder(e.toString().replaceAll("[0-9]{3,}", "N"));
                for (StackTraceElement frame : e.getStackTrace()) {
                    if (frame.getClassName().equals("E21NativeFrames") && frame.getMethodName().equals("show")) {
                        break;
                    }
                    text.append("\n    ").append(frame.getClassName()).append('.').append(frame.getMethodName()).append(' ')
                        .append(frame.isNativeMethod()).append(' ').append(frame.getLineNumber() > 0);
                }
                seen.add(text.toString());
            }
        }
        System.out.println(what + ": " + String.join("\n  then ", seen));
    }

    public static void main(String[] args) throws Exception {
        Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) f.get(null);
        NotCloneable n = new NotCloneable();
        show("clone", n::copy);
        show("abstract", () -> unsafe.allocateInstance(Abstract.class));
        show("interface", () -> unsafe.allocateInstance(Runnable.class));
        show("primitive", () -> unsafe.allocateInstance(int.class));
        show("array", () -> unsafe.allocateInstance(int[].class));
        show("initializer", () -> unsafe.allocateInstance(Fails.class));
        show("negative", () -> Array.newInstance(int.class, -1));
        show("negative references", () -> Array.newInstance(String.class, -1));
        show("void", () -> Array.newInstance(void.class, 1));
        show("null", () -> Array.newInstance(null, 1));
        show("copyOf", () -> Arrays.copyOf(new String[1], -1));
        show("copyOf of ints", () -> Arrays.copyOf(new int[1], -1));
        show("copyOfRange", () -> Arrays.copyOfRange(new String[1], 2, 1));
        show("arraycopy", () -> {
            System.arraycopy(new int[1], 0, new int[1], 0, 2);
            return null;
        });
        show("arraycopy of other types", () -> {
            System.arraycopy(new int[1], 0, new long[1], 0, 1);
            return null;
        });
        show("arraycopy stores", () -> {
            System.arraycopy(new Object[] {"", 1}, 0, new String[2], 0, 2);
            return null;
        });
    }
}
