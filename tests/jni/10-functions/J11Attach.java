// vm: own
// covers: JNI(GetJavaVM,AttachCurrentThread,AttachCurrentThreadAsDaemon,DetachCurrentThread,GetEnv)
public class J11Attach {
    static {
        System.loadLibrary("jnitest");
    }

    static native void attach(Object o, boolean daemon);

    static void called(Object o) {
        Thread t = Thread.currentThread();
        System.out.println(
                t.getName()
                        + " "
                        + t.isDaemon()
                        + " "
                        + t.getThreadGroup().getName()
                        + " "
                        + t.getPriority()
                        + " "
                        + t.getStackTrace().length
                        + (t.getContextClassLoader() == ClassLoader.getSystemClassLoader()));
        for (int i = 0; i < 10000; i++) {
            byte[] b = new byte[1000];
        }
        System.gc();
        throw new IllegalStateException("to be seen by native code");
    }

    public static void main(String[] args) throws Exception {
        Object o = new Object();
        for (boolean d : new boolean[] {false, true}) {
            attach(o, d);
            synchronized (o) {
                System.out.println("free");
            }
        }
        int n = Thread.activeCount();
        System.out.println(n);
        for (int i = 0; i < 5; i++) {
            Thread t = new Thread(() -> attach(new Object(), false));
            t.start();
            t.join();
        }
    }
}
