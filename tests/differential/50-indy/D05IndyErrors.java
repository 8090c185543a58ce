// covers: invokedynamic(BootstrapMethodError,cached-failure,mutable,volatile,many-args)
import java.lang.invoke.*;

public class D05IndyErrors {
    static void call(String kind) throws Throwable {
        try {
            System.out.println(
                    kind
                            + " = "
                            + (int) GenIndyCalls.class.getMethod(kind, int.class).invoke(null, 5));
        } catch (java.lang.reflect.InvocationTargetException e) {
            Throwable t = e.getCause();
            System.out.println(
                    kind
                            + " "
                            + t.getClass().getName()
                            + ": "
                            + (t.getMessage() == null
                                    ? null
                                    : t.getMessage().replaceAll("MethodHandle\\(.*?\\)int", "MH")));
            if (t.getCause() != null)
                System.out.println(
                        "  cause "
                                + t.getCause()
                                        .toString()
                                        .replaceAll("MethodHandle\\(.*?\\)int", "MH"));
        }
    }

    public static void main(String[] args) throws Throwable {
        IndySupport.linked = 0;
        for (int r = 0; r < 2; r++)
            for (String k :
                    new String[] {
                        "constant",
                        "mutable",
                        "volatileSite",
                        "fail",
                        "failError",
                        "nullSite",
                        "wrongType"
                    }) call(k);
        MethodHandle times =
                MethodHandles.dropArguments(MethodHandles.constant(int.class, 4242), 0, int.class);
        IndySupport.mutable.setTarget(times);
        IndySupport.vol.setTarget(times);
        call("mutable");
        call("volatileSite");
        System.out.println(GenIndyCalls.many());
        System.out.println(GenIndyCalls.twice());
        for (int i = 0; i < 2; i++)
            try {
                GenIndyCalls.missingBootstrap();
            } catch (Throwable t) {
                System.out.println(t);
            }
        Throwable first = null;
        for (int i = 0; i < 2; i++)
            try {
                GenIndyCalls.fail(1);
            } catch (BootstrapMethodError t) {
                if (first == null) first = t;
                else System.out.println(first.getCause() == t.getCause());
            }
    }
}
