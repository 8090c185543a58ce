import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** Accessors that are generated for what is called often see the classes of its loader without asking that again. */
public class R19LoadersOfAccessors {
    public static class Seen {
        public Seen() {}

        public static Seen twice(Seen a, Other b) {
            return a;
        }
    }

    public static class Other {
        public Other() {}
    }

    /** Defines what it is asked for, each time. */
    static class Forgetful extends ClassLoader {
        int asked;

        Forgetful() {
            super(R19LoadersOfAccessors.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("R19LoadersOfAccessors$")) return super.loadClass(name, resolve);
            asked++;
            try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Forgetful l = new Forgetful();
        Class<?> seen = Class.forName("R19LoadersOfAccessors$Seen", true, l);
        Class<?> other = Class.forName("R19LoadersOfAccessors$Other", true, l);
        Method twice = seen.getMethod("twice", seen, other);
        Constructor<?> make = seen.getConstructor(), makeOther = other.getConstructor();
        for (int i = 0; i < 100; i++) {
            Object o = make.newInstance();
            if (twice.invoke(null, o, makeOther.newInstance()) != o) throw new AssertionError();
        }
        try {
            twice.invoke(null, make.newInstance(), new Other());
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        System.out.println("asked " + l.asked + " times");
        try {
            l.loadClass(seen.getName());
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
    }
}
