// covers: JVM_Clone
// What can be cloned, and what the clone shares.
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;

public class R14Clones {
    static class Plain {
        int i = 3;
        Object o = "o";

        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    static class Can extends Plain implements Cloneable {}

    static class Weak extends WeakReference<Object> implements Cloneable {
        Weak(Object o) {
            super(o);
        }

        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    static class Soft extends SoftReference<Object> implements Cloneable {
        Soft(Object o) {
            super(o);
        }

        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    interface Body {
        Object run() throws Exception;
    }

    static void show(String what, Body b) {
        try {
            System.out.println(what + " " + b.run().getClass().getName());
        } catch (Throwable t) {
            System.out.println(what + " " + t);
        }
    }

    public static void main(String[] args) throws Exception {
        show("plain", () -> new Plain().copy());
        show("cloneable", () -> new Can().copy());
        show("weak", () -> new Weak("x").copy());
        show("soft", () -> new Soft("x").copy());
        show("array", () -> new int[][] {{1}, {2}}.clone());
        Can a = new Can();
        int hash = System.identityHashCode(a);
        synchronized (a) {
            Can b = (Can) a.copy();
            System.out.println(a.o == b.o);
            System.out.println(b.i + " " + Thread.holdsLock(a) + " " + Thread.holdsLock(b) + " " + (hash == System.identityHashCode(a)));
            b.i = 4;
            System.out.println(a.i + " " + b.i);
        }
        Thread t = new Thread("named");
        Method clone = Object.class.getDeclaredMethod("clone");
        show("thread", () -> {
            clone.setAccessible(true);
            return clone.invoke(t);
        });
        show("enum", () -> Thread.State.NEW.getDeclaringClass().getEnumConstants().clone());
        show("phantom", () -> new PhantomReference<>("x", new ReferenceQueue<>()).refersTo("x"));
    }
}
