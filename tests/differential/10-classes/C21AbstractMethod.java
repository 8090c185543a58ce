// covers: invokevirtual(AbstractMethod) invokeinterface(AbstractMethod)
public class C21AbstractMethod {
    public static void main(String[] args) {
        LinkMissingImpl o = new LinkMissingImpl();
        LinkAbstract a = o;
        LinkInterface i = o;
        for (int k = 0; k < 2; k++) {
            try {
                System.out.println(a.abs());
            } catch (AbstractMethodError e) {
                System.out.println(e.getMessage());
            }
            try {
                System.out.println(i.im());
            } catch (AbstractMethodError e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(i.def());
    }
}
