/** Where the C library prints; its main shows that loading the library calls JNI_OnLoad. */
public class JniOut {
    static int lines;

    static void line(String s) {
        lines++;
        System.out.println(s);
    }

    public static void main(String[] args) {
        System.loadLibrary("jnitest");
        System.loadLibrary("jnitest");
        System.out.println("loaded " + lines);
        try {
            System.load("/no/such/lib.so");
        } catch (UnsatisfiedLinkError e) {
            System.out.println(e.getMessage());
        }
    }
}
