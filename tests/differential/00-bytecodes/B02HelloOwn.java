// vm: own
// covers: JNI_CreateJavaVM DestroyJavaVM
public class B02HelloOwn {
    public static void main(String[] args) {
        System.out.println("Hello");
        System.err.println("error stream");
    }
}
