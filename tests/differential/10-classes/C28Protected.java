// vm: own -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote
// covers: getfield(IllegalAccess) invokevirtual(IllegalAccess)
import java.lang.reflect.InvocationTargetException;

public class C28Protected {
    public static void main(String[] args) throws Exception {
        for (String named : new String[] {"ProtOther", "ProtUser", "ProtSub", "Base"}) {
            Object o = Class.forName(named.equals("Base") ? "ProtUser" : named).getConstructor().newInstance();
            for (String kind : new String[] {"get", "call"}) {
                try {
                    Object r = Class.forName("ProtUser").getMethod(kind + named, Object.class).invoke(null, o);
                    System.out.println(kind + named + " " + r);
                } catch (InvocationTargetException e) {
                    System.out.println(kind + named + " " + e.getCause());
                }
            }
        }
    }
}
