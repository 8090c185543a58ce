# A class of one package makes public what it overrides of its grandparent, in its own package; the method of its parent, in
# another, goes on. Calls through interfaces come to the most derived one.
mkdir -p p q
cat > p/A.java <<'J'
package p;

public class A {
    String name() {
        return "A";
    }

    public static String ofA(A a) {
        return a.name();
    }
}
J
cat > q/B.java <<'J'
package q;

public class B extends p.A {
    String name() {
        return "B";
    }

    public static String ofB(B b) {
        return b.name();
    }
}
J
cat > p/C.java <<'J'
package p;

public class C extends q.B {
    public String name() {
        return "C";
    }
}
J
cat > q/D.java <<'J'
package q;

public class D extends p.C {
    @Override
    public String name() {
        return "D";
    }
}
J
cat > Main.java <<'J'
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;

public class Main {
    interface Named {
        String name();
    }

    interface WithDefault {
        default String name() {
            return "default";
        }
    }

    static class Ci extends p.C implements Named {}

    static class Cd extends p.C implements WithDefault {}

    static class Di extends q.D implements Named, WithDefault {
        @Override
        public String name() {
            return super.name() + "i";
        }
    }

    static class Cdi extends Cd implements Named {}

    static String by(Named n) {
        return n.name();
    }

    static String byDefault(WithDefault n) {
        return n.name();
    }

    public static void main(String[] args) throws Throwable {
        p.A[] all = {new p.A(), new q.B(), new p.C(), new q.D(), new Ci(), new Cd(), new Di(), new Cdi()};
        MethodHandle h = MethodHandles.lookup().findVirtual(Named.class, "name", MethodType.methodType(String.class));
        Function<Named, String> f = Named::name;
        for (int i = 0; i < 3000; i++) {
            StringBuilder s = new StringBuilder();
            for (p.A a : all) {
                s.append(p.A.ofA(a));
                if (a instanceof q.B) s.append(q.B.ofB((q.B) a));
                if (a instanceof p.C) s.append(((p.C) a).name());
                if (a instanceof Named) s.append(by((Named) a)).append((String) h.invokeExact((Named) a)).append(f.apply((Named) a));
                if (a instanceof WithDefault) s.append(byDefault((WithDefault) a));
                s.append(' ');
            }
            if (i == 0 || i == 2999) System.out.println(s);
        }
        System.out.println(Named.class.getMethod("name").invoke(all[4]) + " " + WithDefault.class.getMethod("name").invoke(all[5]));
    }
}
J
"$JAVAC" p/*.java q/*.java Main.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Main 2>&1
