import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;

/**
 * Interfaces that inherit from others what Object has too, but not public: `clone` and `finalize`. Not asked for here: method handles of them, which HotSpot refuses
 * where the interface that is named does not declare the method itself.
 */
public class C50CloneOfInterfaces {
    interface Copies extends Cloneable {
        Object clone();
    }

    interface CopiesToo extends Copies {
    }

    interface Ends {
        void finalize() throws Throwable;
    }

    interface EndsToo extends Ends {
    }

    interface Nothing {
    }

    static Thread caller;

    static class Thing implements CopiesToo, EndsToo {
        @Override
        public Object clone() {
            return "a copy";
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        public void finalize() {
            // Not when the collector's thread calls it, in the middle of another program's output.
            if (Thread.currentThread() == caller) {
                System.out.println("ends");
            }
        }
    }

    interface Try {
        Object run() throws Throwable;
    }

    static void say(Try t) {
        try {
            System.out.println(t.run());
        } catch (Throwable e) {
            System.out.println(e + " / " + e.getCause());
        }
    }

    public static void main(String[] args) throws Throwable {
        caller = Thread.currentThread();
        CopiesToo copies = new Thing();
        EndsToo ends = new Thing();
        for (int i = 0; i < 3; i++) {
            System.out.println(copies.clone());
            ends.finalize();
        }
        MethodType object = MethodType.methodType(Object.class);
        say(() -> MethodHandles.lookup().findVirtual(Copies.class, "clone", object).invoke((Copies) copies));
        say(() -> MethodHandles.lookup().findVirtual(Nothing.class, "clone", object));
        say(() -> MethodHandles.lookup().findVirtual(Nothing.class, "toString", MethodType.methodType(String.class)));
        say(() -> {
            Function<CopiesToo, Object> f = CopiesToo::clone;
            return f.apply(copies);
        });
        say(() -> CopiesToo.class.getMethod("clone"));
    }
}
