// covers: ldc(string) getstatic(ok) invokevirtual(ok)
public class B01Hello {
    public static void main(String[] args) {
        System.out.println("Hello");
    }
}
