# What a dump says of threads that were notified, wait for an initializer, or for the monitor of a class.
cat > N.java <<'J'
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
public class N {
    static class Init {
        static { try { Thread.sleep(2500); } catch (InterruptedException e) { } }
        static int x() { return 1; }
    }
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
    static synchronized void own() throws Exception { N.class.wait(); }
    interface Body { void run() throws Exception; }
    static Thread start(String name, Body b) {
        Thread t = new Thread(() -> { try { b.run(); } catch (Exception e) { } }, name);
        t.setDaemon(true);
        t.start();
        return t;
    }
    static void until(Thread t, Thread.State s) throws Exception {
        while (t.getState() != s) Thread.sleep(5);
    }
    static void tell(Thread t) {
        var i = BEAN.getThreadInfo(t.getId());
        System.out.println(t.getName() + " " + t.getState() + " " + i.getThreadState() + " " + i.getBlockedCount() + " " + i.getLockOwnerName());
    }
    public static void main(String[] a) throws Exception {
        Object o = new Object();
        Thread w = start("t-waiter", () -> { synchronized (o) { o.wait(); } });
        until(w, Thread.State.WAITING);
        Thread timed = start("t-timed", () -> { synchronized (o) { o.wait(1_000_000); } });
        until(timed, Thread.State.TIMED_WAITING);
        tell(w);
        synchronized (o) {
            o.notifyAll();
            tell(w);
            tell(timed);
            dump("notified");
            tell(w);
        }
        w.join();
        timed.join();
        Thread init = start("t-initializer", Init::x);
        until(init, Thread.State.TIMED_WAITING);
        Thread initWaiter = start("t-initwaiter", () -> Init.x());
        Thread.sleep(200);
        until(start("t-classwaiter", N::own), Thread.State.WAITING);
        until(start("t-arraywaiter", () -> { synchronized (int[].class) { int[].class.wait(1_000_000); } }), Thread.State.TIMED_WAITING);
        synchronized (N.class) {
            until(start("t-blocked", () -> { synchronized (N.class) { } }), Thread.State.BLOCKED);
            Thread.sleep(100);
            tell(initWaiter);
            dump("classes");
            N.class.notify();
        }
        initWaiter.join();
        // Everybody is RUNNABLE again behind a wait.
        Thread back = start("t-back", () -> {
            synchronized (o) { o.wait(); }
            System.out.println(Thread.currentThread().getState());
        });
        until(back, Thread.State.WAITING);
        for (int i = 0; i < 3; i++) synchronized (o) { o.notify(); }
        back.join();
        ping();
    }
    /** Two threads that notify each other find themselves RUNNABLE always. */
    static void ping() throws Exception {
        Object o = new Object();
        int[] turn = new int[1], wrong = new int[1];
        Thread[] two = new Thread[2];
        for (int me = 0; me < 2; me++) {
            int mine = me;
            two[me] = start("t-ping", () -> {
                for (int i = 0; i < 20000; i++) {
                    synchronized (o) {
                        while (turn[0] != mine) o.wait(i % 3);
                        if (Thread.currentThread().getState() != Thread.State.RUNNABLE) wrong[0]++;
                        turn[0] = 1 - mine;
                        o.notifyAll();
                    }
                    if (Thread.currentThread().getState() != Thread.State.RUNNABLE) wrong[0]++;
                }
            });
        }
        for (Thread t : two) t.join();
        System.out.println("wrong " + wrong[0]);
    }
    static void dump(String what) throws Exception {
        System.out.println("== " + what);
        Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/jstack", "" + ProcessHandle.current().pid()).redirectErrorStream(true).start();
        boolean on = false;
        for (String l : new String(p.getInputStream().readAllBytes()).split("\n")) {
            if (l.startsWith("\"")) on = l.startsWith("\"t-") || l.startsWith("\"main");
            if (l.isEmpty()) on = false;
            l = l.replaceAll(" #\\d+ ", " # ").replaceAll("(cpu|elapsed)=[\\d.]+m?s", "$1").replaceAll("(tid|nid)=0x[0-9a-f]+", "$1");
            l = l.replaceAll("\\[0x[0-9a-f]+\\]", "[]").replaceAll("<0x[0-9a-f]+>", "<>").replaceAll("Lambda[$/]\\S*\\.run", "Lambda.run");
            if (on && !l.contains("java.io.")) System.out.println(l);
        }
    }
}
J
"$JAVAC" N.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . N
