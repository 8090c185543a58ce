// covers: jsr(ok,nested,wide) ret(ok,wide) jsr_w(ok)
public class B35Jsr {
    public static void main(String[] args) {
        System.out.println(GenJsr49.calls(1));
        System.out.println(GenJsr49.nested(4));
        System.out.println(GenJsr49.finallyBlock(7));
        try {
            GenJsr49.finallyBlock(0);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(GenJsr49.far(1));
        System.out.println(GenJsr46.calls(2));
        System.out.println(GenJsr46.nested(1));
        System.out.println(GenJsr46.finallyBlock(3));
        for (int i = 0; i < 300; i++) GenJsr49.calls(i);
        System.out.println(GenJsr49.kept() + " " + GenJsr46.kept());
        System.out.println(GenVersion45.run(14));
    }
}
