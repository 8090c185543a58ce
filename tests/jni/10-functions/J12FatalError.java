// vm: own -XX:-CreateCoredumpOnCrash
// exit: 1
// ignore: out
// covers: JNI(FatalError)
public class J12FatalError {
    static {
        System.loadLibrary("jnitest");
    }

    static native void die();

    public static void main(String[] args) {
        die();
    }
}
