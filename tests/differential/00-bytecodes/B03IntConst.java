// covers: iconst_m1(ok) iconst_0(ok) iconst_1(ok) iconst_2(ok) iconst_3(ok) iconst_4(ok)
// covers: iconst_5(ok) bipush(negative,ok) sipush(negative,ok) ldc(int)
public class B03IntConst {
    public static void main(String[] args) {
        System.out.println(-1);
        System.out.println(0);
        System.out.println(1);
        System.out.println(2);
        System.out.println(3);
        System.out.println(4);
        System.out.println(5);
        System.out.println(6);
        System.out.println(-2);
        System.out.println(127);
        System.out.println(-128);
        System.out.println(128);
        System.out.println(-129);
        System.out.println(32767);
        System.out.println(-32768);
        System.out.println(32768);
        System.out.println(-32769);
        System.out.println(0x7fffffff);
        System.out.println(0x80000000);
        System.out.println((byte) 200);
        System.out.println('A');
        System.out.println(true);
    }
}
