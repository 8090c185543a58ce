public class T11Groups {
    public static void main(String[] args) throws Exception {
        ThreadGroup g =
                new ThreadGroup("g") {
                    public void uncaughtException(Thread t, Throwable e) {
                        System.out.println("group " + t.getName() + " " + e.getMessage());
                    }
                };
        ThreadGroup h = new ThreadGroup(g, "h");
        h.setMaxPriority(3);
        Thread t =
                new Thread(
                        h,
                        () -> {
                            throw new IllegalStateException("up");
                        },
                        "T");
        t.setPriority(9);
        System.out.println(
                t.getPriority() + " " + g.parentOf(h) + h.getParent().getName() + g.activeCount());
        t.start();
        t.join();
        Thread[] ts = new Thread[3];
        boolean[] go = new boolean[1];
        for (int i = 0; i < 3; i++) {
            ts[i] =
                    new Thread(
                            g,
                            () -> {
                                synchronized (go) {
                                    while (!go[0])
                                        try {
                                            go.wait();
                                        } catch (InterruptedException e) {
                                            System.out.println("interrupted");
                                            return;
                                        }
                                }
                            },
                            "w" + i);
            ts[i].start();
        }
        while (g.activeCount() < 3) Thread.yield();
        Thread[] list = new Thread[10];
        System.out.println(g.enumerate(list) + " " + list[0].getName() + g.activeGroupCount());
        g.interrupt();
        for (Thread x : ts) x.join();
        System.out.println(
                g.activeCount()
                        + " "
                        + Thread.currentThread().getThreadGroup().getParent().getName()
                        + h);
        StackTraceElement[] dead = ts[0].getStackTrace();
        System.out.println(dead.length + " " + ts[0].getThreadGroup());
        Thread c = new Thread(g, null, "cl", 0, false);
        System.out.println(
                c.getContextClassLoader() == Thread.currentThread().getContextClassLoader());
        Thread.UncaughtExceptionHandler bad =
                (x, e) -> {
                    throw new RuntimeException("handler fails");
                };
        Thread b =
                new Thread(
                        () -> {
                            throw new RuntimeException("first");
                        });
        b.setUncaughtExceptionHandler(bad);
        b.start();
        b.join();
        System.out.println(b.getState());
    }
}
