// covers: goto_w(ok) ifge(taken) nop(ok)
public class B33FarJumps {
    public static void main(String[] args) {
        System.out.println(GenFar.run(1));
        System.out.println(GenFar.run(-5));
        System.out.println(GenFar.run(-100));
    }
}
