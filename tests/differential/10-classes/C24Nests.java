// covers: JVM_GetNestHost JVM_AreNestMates invokestatic(nest)
public class C24Nests {
    public static void main(String[] args) throws Exception {
        System.out.println(NestMember.run());
        try {
            System.out.println(NestLiar.run());
        } catch (IllegalAccessError e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(NestLost.run());
        } catch (IllegalAccessError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(NestMember.class.getNestHost());
        System.out.println(NestLiar.class.getNestHost());
        System.out.println(NestLost.class.getNestHost());
        System.out.println(NestMember.class.isNestmateOf(NestHost.class));
        System.out.println(NestHost.class.getNestMembers().length);
    }
}
