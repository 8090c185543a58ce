// covers: JNI(Throw,ThrowNew,ExceptionOccurred,ExceptionDescribe,ExceptionClear,ExceptionCheck)
public class J06Exceptions {
    static {
        System.loadLibrary("jnitest");
    }

    static native int natively(int kind, Object o);

    static RuntimeException fixed = new RuntimeException("from Java");

    static int thrower() {
        throw fixed;
    }

    public static void main(String[] args) {
        for (int k = 0; k < 9; k++) {
            Object arg =
                    k == 1 ? new java.io.IOException("checked") : k == 3 ? fixed : new Object();
            try {
                System.out.println(k + " returned " + natively(k, arg));
            } catch (Throwable t) {
                System.out.println(
                        k
                                + " "
                                + t
                                + " same "
                                + (t == arg)
                                + " "
                                + (t.getStackTrace().length > 0 ? t.getStackTrace()[0] : "none"));
            }
            System.out.println(Thread.holdsLock(arg));
        }
    }
}
