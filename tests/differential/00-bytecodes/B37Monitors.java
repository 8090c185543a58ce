// covers: monitorexit(IllegalMonitorState,npe,unordered) monitorenter(not-released)
public class B37Monitors {
    interface Act {
        void run() throws Throwable;
    }

    static void attempt(String what, Act act) {
        try {
            act.run();
            System.out.println(what + " ok");
        } catch (Throwable t) {
            System.out.println(what + " " + t);
        }
    }

    public static void main(String[] args) {
        Object a = new Object(), b = new Object();
        attempt(
                "exitOnly",
                new Act() {
                    public void run() {
                        GenMonitors.exitOnly(a);
                    }
                });
        attempt(
                "cross",
                new Act() {
                    public void run() {
                        GenMonitors.cross(a, b);
                    }
                });
        attempt(
                "enterOnly",
                new Act() {
                    public void run() {
                        GenMonitors.enterOnly(a);
                    }
                });
        attempt(
                "twice",
                new Act() {
                    public void run() {
                        GenMonitors.enterTwiceExitOnce(b);
                    }
                });
        attempt(
                "throw",
                new Act() {
                    public void run() {
                        GenMonitors.enterThrow(b);
                    }
                });
        attempt(
                "exitOwn",
                new Act() {
                    public void run() {
                        GenMonitors.exitOwn();
                    }
                });
        attempt(
                "exitNull",
                new Act() {
                    public void run() {
                        GenMonitors.exitNull();
                    }
                });
        System.out.println(Thread.holdsLock(a) + " " + Thread.holdsLock(b));
    }
}
