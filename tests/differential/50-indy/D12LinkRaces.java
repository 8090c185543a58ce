// covers: invokedynamic(linked-by-many-threads) ldc(condy-ref)
// Threads meet at the same unlinked call site, constant, class and quickened instructions; all see
// one result.
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class D12LinkRaces {
    static Object meet(int parties, Callable<Object> c) throws Exception {
        CyclicBarrier b = new CyclicBarrier(parties);
        ConcurrentLinkedQueue<Object> q = new ConcurrentLinkedQueue<>();
        Thread[] ts = new Thread[parties];
        for (int i = 0; i < parties; i++) {
            ts[i] =
                    new Thread(
                            () -> {
                                try {
                                    b.await();
                                    q.add(c.call());
                                } catch (Throwable t) {
                                    q.add(t.toString());
                                }
                            });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        Set<Object> s = Collections.newSetFromMap(new IdentityHashMap<>());
        s.addAll(q);
        return q.size() + "/" + s.size();
    }

    static class Fresh {
        int a = 1;
        static int s = 2;
        long l = 3;

        int v() {
            return a + s + (int) l;
        }

        static Fresh make() {
            return new Fresh();
        }

        interface Q {
            int q(Fresh f);
        }

        static int use() {
            Fresh f = make();
            Q q = x -> x.v() * 2;
            Supplier<Fresh> m = Fresh::new;
            f.a = 5;
            f.l = 6;
            s = 2;
            Object o = f;
            return q.q((Fresh) o)
                    + m.get().v()
                    + (o instanceof Fresh ? 1 : 0)
                    + ("c" + f.a + f.l).length()
                    + new Fresh[2].length
                    + new int[2][3].length;
        }
    }

    static Object lambda() {
        Runnable r = () -> {};
        return r;
    }

    static Object string() {
        return "literal " + 'x';
    }

    static Object condy() {
        return GenCondy.arrayValue();
    }

    static Object cls() {
        return Fresh[].class;
    }

    static Object mtype() {
        return GenHandles.type1();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(meet(4, D12LinkRaces::lambda));
        System.out.println(meet(4, D12LinkRaces::string).toString().charAt(0));
        java.io.PrintStream out = System.out;
        System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
        Object c = meet(4, D12LinkRaces::condy);
        System.setOut(out);
        System.out.println(c);
        System.out.println(meet(4, D12LinkRaces::cls));
        System.out.println(meet(4, D12LinkRaces::mtype));
        for (int round = 0; round < 20; round++) {
            byte[] bytes =
                    D12LinkRaces.class
                            .getResourceAsStream("D12LinkRaces$Fresh.class")
                            .readAllBytes();
            byte[] q =
                    D12LinkRaces.class
                            .getResourceAsStream("D12LinkRaces$Fresh$Q.class")
                            .readAllBytes();
            ClassLoader l =
                    new ClassLoader(D12LinkRaces.class.getClassLoader()) {
                        protected Class<?> loadClass(String n, boolean r)
                                throws ClassNotFoundException {
                            synchronized (getClassLoadingLock(n)) {
                                if (!n.startsWith("D12LinkRaces$Fresh"))
                                    return super.loadClass(n, r);
                                Class<?> k = findLoadedClass(n);
                                return k != null
                                        ? k
                                        : defineClass(
                                                n,
                                                n.endsWith("Q") ? q : bytes,
                                                0,
                                                n.endsWith("Q") ? q.length : bytes.length);
                            }
                        }
                    };
            java.lang.reflect.Method m = l.loadClass("D12LinkRaces$Fresh").getDeclaredMethod("use");
            m.setAccessible(true);
            ConcurrentLinkedQueue<Object> seen = new ConcurrentLinkedQueue<>();
            meet(
                    4,
                    () -> {
                        for (int i = 0; i < 30; i++) seen.add(m.invoke(null));
                        return 1;
                    });
            if (new HashSet<>(seen).size() != 1 || seen.size() != 120)
                System.out.println("round " + round + " " + new HashSet<>(seen) + seen.size());
            if (round == 0) System.out.println(seen.peek());
        }
    }
}
