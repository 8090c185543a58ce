// covers: ldc(int,float,string,class) ldc_w(string) ldc2_w(long,double)
public class B22LdcConstants {
    public static void main(String[] args) {
        System.out.println(1234567);
        System.out.println(1.25f);
        System.out.println(123456789012345L);
        System.out.println(3.141592653589793);
        System.out.println("string");
        System.out.println(String.class.getName());
        System.out.println(int[].class.getName());
        System.out.println(B22LdcConstants[][].class.getName());
        System.out.println(int.class.getName());
        System.out.println(void.class.getName());
        System.out.println("string" == "str" + "ing");
        System.out.println("\u0000".length());
        System.out.println("\ud83d\ude00".length());
        System.out.println("\ud83d".length());
        System.out.println((int) "\u00e9\u20ac".charAt(1));
        final String local = "interned";
        System.out.println(local == new String("interned").intern());
        System.out.println(local == new String("interned"));
        System.out.println(String.class == "x".getClass());
    }
}
