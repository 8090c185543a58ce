// covers: JNI(RegisterNatives,UnregisterNatives)
public class J10Register {
    static {
        System.loadLibrary("jnitest");
    }

    static native void register(int which);

    static native int one(int x);

    static native int two(int x);

    static int plain(int x) {
        return x;
    }

    static void call() {
        try {
            System.out.println(one(1) + " " + two(2));
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        call();
        register(0);
        call();
        register(1);
        call();
        for (int k = 2; k < 4; k++)
            try {
                register(k);
                System.out.println("no error");
            } catch (NoSuchMethodError e) {
                System.out.println(e.getMessage());
            }
        register(4);
        call();
        System.out.println(plain(3));
    }
}
