// covers: monitorenter(ok,npe,nested) monitorexit(ok)
public class B23Synchronized {
    int n;
    static int sn;

    synchronized int inc() {
        return ++n;
    }

    static synchronized int sinc() {
        return ++sn;
    }

    synchronized int recurse(int d) {
        return d == 0 ? n : recurse(d - 1) + 1;
    }

    synchronized void thrower() {
        throw new IllegalStateException("out of a synchronized method");
    }

    public static void main(String[] args) {
        B23Synchronized o = new B23Synchronized();
        System.out.println(o.inc());
        System.out.println(sinc());
        System.out.println(o.recurse(100));
        synchronized (o) {
            System.out.println(Thread.holdsLock(o));
            synchronized (o) {
                synchronized (B23Synchronized.class) {
                    System.out.println(o.inc() + sinc());
                }
            }
            System.out.println(Thread.holdsLock(o));
        }
        System.out.println(Thread.holdsLock(o));
        try {
            o.thrower();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Thread.holdsLock(o));
        try {
            synchronized (o) {
                throw new RuntimeException("inside");
            }
        } catch (RuntimeException e) {
            System.out.println(Thread.holdsLock(o));
        }
        Object none = null;
        try {
            synchronized (none) {
                System.out.println("no");
            }
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        try {
            o.notify();
            System.out.println("no");
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 1000; i++) {
            synchronized (new Object()) {
                sn += i;
            }
        }
        System.out.println(sn);
    }
}
