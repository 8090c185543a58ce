// covers: invokeinterface(icce,npe) invokespecial(icce,npe)
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * An interface call throws for a receiver that does not implement the interface that it names, wherever the method is
 * declared; invokespecial in an interface wants the interface's own; interpreted, compiled, and at each time.
 */
public class C43Receivers {
    static final String[] CALLS = {
        "RcvUser.aOfA", "RcvUser.aOfB", "RcvUser.aOfEmpty", "RcvUser.bOfB", "RcvUser.bOfEmpty", "RcvUser.dOfEmpty",
        "RcvUser.hashOfB", "RcvUser.toStringOfB", "RcvUser.classOfB", "RcvUser.toStringOfSerializable",
        "RcvUser.classOfSerializable", "RcvUser.toStringOfCloneable", "RcvUser.classOfCloneable", "RcvA.callPrivate", "RcvA.specialPrivate",
        "RcvB.specialDefault", "RcvB.virtualDefault"
    };

    static String call(Method m, Object o) throws Exception {
        try {
            Object r = m.invoke(null, o);
            return String.valueOf(r).replaceAll("@[0-9a-f]+", "@");
        } catch (InvocationTargetException e) {
            return e.getCause().toString();
        }
    }

    static Object make(String name) throws Exception {
        return Class.forName(name).getConstructor().newInstance();
    }

    public static void main(String[] args) throws Exception {
        Object[] receivers = {null, make("RcvNone"), make("RcvOnlyA"), make("RcvBoth"), make("RcvAll"), new int[0], new String[0], new long[0][]};
        for (String c : CALLS) {
            int dot = c.indexOf('.');
            Class<?> holder = Class.forName(c.substring(0, dot));
            for (Method m : holder.getMethods()) {
                if (!m.getName().equals(c.substring(dot + 1))) continue;
                for (int round = 0; round < 2; round++) {
                    for (Object o : receivers) {
                        System.out.println(c + " " + (o == null ? null : o.getClass().getName()) + " " + call(m, o));
                    }
                }
            }
        }
        int[] array = {};
        for (int i = 0; i < 30000; i++) {
            int hash = System.identityHashCode(array);
            if (RcvUser.hashOfSerializable(array) != hash || RcvUser.hashOfCloneable(array) != hash) throw new AssertionError();
        }
        hot(receivers);
        for (int i = 0; i < 7; i++) {
            load("Fin" + i);
            load("Fin" + i + "Impl");
            for (int access : new int[] {2, 9, 1}) load("Fin" + i + "With" + access);
        }
    }

    static void load(String name) {
        try {
            System.out.println(name + " " + Class.forName(name));
        } catch (Throwable e) {
            System.out.println(name + " " + e);
        }
    }

    interface Caller {
        int call(Object o);
    }

    /** Warm with receivers that fit, then one that does not. */
    static void hot(Object[] receivers) throws Exception {
        Caller[] callers = {
            RcvUser::aOfA, RcvUser::aOfB, RcvUser::aOfEmpty, RcvUser::bOfEmpty, RcvUser::dOfEmpty, RcvA::callPrivate,
            RcvA::specialPrivate, RcvB::specialDefault, RcvB::virtualDefault
        };
        for (int c = 0; c < callers.length; c++) {
            long sum = 0;
            for (int i = 0; i < 30000; i++) sum += callers[c].call(receivers[4]);
            System.out.println(c + " " + sum);
            for (int i = 0; i < 6; i++) {
                try {
                    System.out.println(c + " " + i + " " + callers[c].call(receivers[i]));
                } catch (Throwable e) {
                    System.out.println(c + " " + i + " " + e.getClass());
                }
            }
            for (int i = 0; i < 1000; i++) sum += callers[c].call(receivers[4]);
            System.out.println(c + " " + sum);
        }
    }
}
