// covers: JNI(MonitorEnter,MonitorExit)
public class J07Monitors {
    static {
        System.loadLibrary("jnitest");
    }

    static native int enter(Object o);

    static native int exit(Object o);

    public static void main(String[] args) throws Exception {
        Object o = new Object();
        System.out.println(
                enter(o) + " " + Thread.holdsLock(o) + enter(o) + exit(o) + Thread.holdsLock(o));
        Thread t =
                new Thread(
                        () -> {
                            synchronized (o) {
                                System.out.println("entered after exit");
                            }
                        });
        t.start();
        while (t.getState() != Thread.State.BLOCKED) Thread.yield();
        System.out.println("blocked");
        int result = exit(o);
        t.join();
        System.out.println(result);
        try {
            System.out.println(exit(o));
        } catch (IllegalMonitorStateException e) {
            System.out.println("imse");
        }
        synchronized (o) {
            System.out.println(enter(o) + " " + exit(o) + Thread.holdsLock(o));
        }
        try {
            System.out.println(enter(null));
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        Object p = new Object();
        int h = p.hashCode();
        enter(p);
        System.out.println(h == p.hashCode());
        try {
            p.wait(1);
            System.out.println("waited");
        } finally {
            exit(p);
        }
        System.out.println(Thread.holdsLock(p));
    }
}
