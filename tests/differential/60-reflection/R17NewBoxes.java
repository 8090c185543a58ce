// covers: JVM_GetArrayElement JVM_InvokeMethod
import java.lang.reflect.Array;
import java.lang.reflect.Method;

/** The VM boxes what it reads and what it calls without the caches of valueOf; generated accessors box with them. */
public class R17NewBoxes {
    public static boolean flag() { return true; }
    public static char letter() { return 'x'; }
    public static byte small() { return 5; }
    public static int number() { return 5; }
    public static long wide() { return 5; }
    public static double real() { return 0.5; }

    static void elements(Object array) {
        Object a = Array.get(array, 0), b = Array.get(array, 0);
        System.out.println(a + " " + a.getClass() + " " + a.equals(b) + " " + (a == b));
    }
    static void call(String name) throws Exception {
        Method m = R17NewBoxes.class.getMethod(name);
        Object a = m.invoke(null), b = m.invoke(null);
        System.out.print(a + " " + a.getClass() + " " + a.equals(b) + " " + (a == b));
        for (int i = 0; i < 40; i++) m.invoke(null);
        System.out.println(" " + (m.invoke(null) == m.invoke(null)));
    }
    public static void main(String[] args) throws Exception {
        elements(new boolean[] {true});
        elements(new char[] {'x'});
        elements(new byte[] {-5});
        elements(new short[] {5});
        elements(new int[] {5});
        elements(new long[] {5});
        elements(new float[] {5});
        elements(new double[] {5});
        for (String name : new String[] {"flag", "letter", "small", "number", "wide", "real"}) call(name);
        System.out.println(Array.get(new boolean[] {true}, 0) == Boolean.TRUE);
    }
}
