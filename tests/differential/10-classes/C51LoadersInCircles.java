import java.util.concurrent.CountDownLatch;

/** Loaders that ask the VM for the class that they are being asked for: by themselves, by each other, by a super, by threads. */
public class C51LoadersInCircles {
    static class Asking extends ClassLoader {
        ClassLoader next = this;
        int asked;

        Asking(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("Ghost")) return super.loadClass(name);
            asked++;
            return Class.forName(name, false, next);
        }
    }

    static class Parallel extends Asking {
        static {
            registerAsParallelCapable();
        }

        Parallel(ClassLoader parent) {
            super(parent);
        }
    }

    /** Catches what the second question gives, and answers the first. */
    static class Catching extends Asking {
        Catching(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            try {
                return super.loadClass(name);
            } catch (LinkageError e) {
                System.out.println("caught " + e);
                return String.class;
            }
        }
    }

    static String ask(String name, Asking l) {
        String s;
        try {
            s = Class.forName(name, false, l).toString();
        } catch (Throwable e) {
            s = e + " by " + e.getCause();
        }
        return s + " asked " + l.asked;
    }

    static class Missing {}

    static class User {
        static Object one() {
            return new Missing();
        }

        static Object many() {
            return new Missing[1];
        }

        static Object deep() {
            return Missing[][].class;
        }
    }

    /** Defines User itself, and answers with null or another class for Missing. */
    static class Answering extends ClassLoader {
        final Class<?> answer;

        Answering(Class<?> answer) {
            this.answer = answer;
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (name.endsWith("Missing")) return answer;
            if (!name.endsWith("User")) return super.loadClass(name);
            try (java.io.InputStream in = C51LoadersInCircles.class.getResourceAsStream("/" + name + ".class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void use(ClassLoader l) throws Exception {
        Class<?> c = Class.forName(User.class.getName(), true, l);
        for (String name : new String[] {"one", "many", "deep", "one"}) {
            java.lang.reflect.Method m = c.getDeclaredMethod(name);
            m.setAccessible(true);
            try {
                System.out.println(m.invoke(null));
            } catch (java.lang.reflect.InvocationTargetException e) {
                System.out.println(name + " " + e.getCause() + " by " + e.getCause().getCause());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader app = C51LoadersInCircles.class.getClassLoader();
        for (Asking l : new Asking[] {new Asking(app), new Parallel(app), new Catching(app)}) {
            System.out.println(ask("Ghost", l));
            System.out.println(ask("Ghost", l));
            System.out.println(ask("[LGhost2;", l));
        }
        Asking none = new Asking(app) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                return name.startsWith("Ghost") ? null : super.loadClass(name);
            }
        };
        for (String name : new String[] {"Ghost", "[LGhost;", "[[LGhost;", "[Q", "[", "[LNone;", "None", "Ghost.of", "[LGhost.of;"}) System.out.println(ask(name, none));
        for (String name : new String[] {"Ghost", "p.Ghost", "[LGhost;", "[[Lp.Ghost;"}) {
            for (ClassLoader l : new ClassLoader[] {null, app, app.getParent()}) {
                try {
                    System.out.println(Class.forName(name, false, l));
                } catch (ClassNotFoundException e) {
                    System.out.println(e);
                }
            }
        }
        use(new Answering(null));
        use(new Answering(String.class));
        for (boolean parallel : new boolean[] {false, true}) {
            Asking a = parallel ? new Parallel(app) : new Asking(app), b = parallel ? new Parallel(app) : new Asking(app);
            a.next = b;
            b.next = a;
            System.out.println(ask("GhostA", a) + " and " + b.asked);
            System.out.println(ask("GhostA", b) + " and " + a.asked);
        }
        Parallel shared = new Parallel(app);
        CountDownLatch go = new CountDownLatch(1);
        String[] said = new String[4];
        Thread[] ts = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int k = i;
            ts[i] = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new Error(e);
                }
                said[k] = ask("Ghost" + k, shared).replaceAll(" asked.*", "");
            });
            ts[i].start();
        }
        go.countDown();
        for (Thread t : ts) t.join();
        for (String s : said) System.out.println(s);
    }
}
