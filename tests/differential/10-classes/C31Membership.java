// covers: invokespecial(interface-super) invokestatic(IllegalAccess) invokevirtual(AbstractMethod)
// Nests that do not list a member, packages that are not exported, defaults beside abstract methods.
import java.lang.reflect.InvocationTargetException;

public class C31Membership {
    static void show(String name, String method) throws Exception {
        try {
            Class<?> c = Class.forName(name);
            Object r = method.equals("run") ? c.getMethod("run").invoke(null) : c.getMethod(method).invoke(c.getConstructor().newInstance());
            System.out.println(name + "." + method + " " + r);
        } catch (InvocationTargetException e) {
            System.out.println(name + "." + method + " " + e.getCause().toString().replaceAll("@(0x)?[0-9a-f]+", "@HASH"));
        } catch (LinkageError e) {
            System.out.println(name + "." + method + " " + e.toString().replaceAll("@(0x)?[0-9a-f]+", "@HASH"));
        }
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"NestMember", "NestUnlisted", "ModuleNotExported", "ModuleExtends", "ModuleImplements"}) {
            show(name, "run");
        }
        System.out.println(Class.forName("NestUnlisted").getNestHost());
        for (String name : new String[] {"SelectASub", "SelectBSub", "SelectCSub", "SelectDSub"}) {
            for (String method : new String[] {"bySuper", "byClass", "byInterface"}) {
                show(name, method);
            }
        }
    }
}
