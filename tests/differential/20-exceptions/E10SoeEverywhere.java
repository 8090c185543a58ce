// vm: own -Xss512k
// covers: invokespecial(StackOverflowError) JVM_InvokeMethod(StackOverflowError)
// The stack overflows in library code, reflection, constructors, initialisers and while a lock is
// taken; the program goes on.
import java.util.*;
import java.util.concurrent.locks.*;

public class E10SoeEverywhere {
    static class Loop {
        Loop in;

        public String toString() {
            return "x" + in;
        }

        public boolean equals(Object o) {
            return in.equals(o);
        }

        public int hashCode() {
            return Objects.hash(in);
        }
    }

    static class Ctor {
        Ctor c = new Ctor();
    }

    static class Cmp implements Comparable<Cmp> {
        public int compareTo(Cmp o) {
            return o.compareTo(this);
        }
    }

    public static void refl() throws Exception {
        E10SoeEverywhere.class.getMethod("refl").invoke(null);
    }

    static ReentrantLock lock = new ReentrantLock();

    static void locked() {
        lock.lock();
        try {
            locked();
        } finally {
            lock.unlock();
        }
    }

    static int depth;

    static void fin() {
        try {
            depth++;
            fin();
        } finally {
            depth--;
        }
    }

    static void lambda(Runnable r) {
        Runnable q = () -> lambda(r);
        q.run();
    }

    static class Holder {
        static int v = deepInit(0);

        static int deepInit(int n) {
            return n > 50 ? n : deepInit(n + 1);
        }
    }

    static void atEdge(int n) {
        try {
            atEdge(n + 1);
        } catch (StackOverflowError e) {
            Holder2.touch();
            throw e;
        }
    }

    static class Holder2 {
        static {
            s = "ok";
        }

        static String s;

        static void touch() {
            if (s == null) s = "";
        }
    }

    interface Act {
        void run() throws Throwable;
    }

    static void attempt(String w, Act a) {
        try {
            a.run();
            System.out.println(w + " returned");
        } catch (Throwable t) {
            Throwable c = t;
            while (c.getCause() != null && c != c.getCause()) c = c.getCause();
            System.out.println(
                    w
                            + " "
                            + (c instanceof StackOverflowError
                                    || c instanceof NoClassDefFoundError
                                    || c instanceof ExceptionInInitializerError));
        }
    }

    public static void main(String[] args) throws Exception {
        Loop l = new Loop();
        l.in = l;
        attempt("toString", () -> l.toString());
        attempt("equals", () -> l.equals(new Loop()));
        attempt("hashCode", () -> new HashSet<>(List.of(l)));
        attempt("constructor", Ctor::new);
        attempt("compareTo", () -> new TreeSet<>(List.of(new Cmp(), new Cmp())));
        attempt("reflection", () -> refl());
        attempt("lock", () -> locked());
        while (lock.isHeldByCurrentThread()) lock.unlock();
        System.out.println(lock.isLocked() + " " + lock.tryLock() + lock.getHoldCount());
        attempt("finally", () -> fin());
        attempt("lambda", () -> lambda(null));
        attempt("edge", () -> atEdge(0));
        System.out.println(Holder.v);
        List<Object> self = new ArrayList<>();
        self.add(self);
        attempt("list hash", () -> self.hashCode());
        Map<String, Object> m = new HashMap<>();
        m.put("m", m);
        attempt("map hash", () -> m.hashCode());
        Thread t = new Thread(null, () -> attempt("small thread", () -> fin()), "small", 256 << 10);
        t.start();
        t.join();
        Thread b =
                new Thread(
                        null,
                        () -> {
                            try {
                                System.out.println(count(0) > 0);
                            } catch (StackOverflowError e) {
                                System.out.println("big");
                            }
                        },
                        "big",
                        16 << 20);
        b.start();
        b.join();
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 5000; i++) sb.append("(a|");
        attempt(
                "regex",
                () ->
                        java.util.regex.Pattern.compile("(a|b)*")
                                .matcher("ab".repeat(100000))
                                .matches());
        System.out.println("alive " + sb.length());
    }

    static int count(int n) {
        return n > 20000 ? n : count(n + 1);
    }
}
