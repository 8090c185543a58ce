// covers: invokeinterface(conflict,private-skipped,IllegalAccess,static-skipped)
// covers: invokevirtual(package-private) invokespecial(ACC_SUPER)
public class C23Selection {
    static void call(String name) {
        try {
            SelI i = (SelI) Class.forName(name).getDeclaredConstructor().newInstance();
            System.out.println(name + " " + i.m());
        } catch (Throwable t) {
            System.out.println(name + " " + t);
        }
    }

    public static void main(String[] args) throws Exception {
        String[] names = {
            "SelConflict", "SelReabstracted", "SelPrivate", "SelNonPublic", "SelStatic"
        };
        for (int r = 0; r < 2; r++) for (String n : names) call(n);
        for (String m : new String[] {"callPP", "callQP", "callQQ", "callRP", "callRQ"})
            System.out.println(m + " " + Class.forName("selpa.Caller").getMethod(m).invoke(null));
        SuperC c = new SuperC();
        System.out.println(c.viaSuperA() + " " + c.viaSuperB() + " " + c.viaSuperC());
    }
}
