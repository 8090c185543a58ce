// covers:
// covers:
// covers: ldc(method-handle,method-type,NoSuchMethod,NoSuchField,IncompatibleClassChange,NoClassDefFound)
public class D07HandleConstants {
    public static void main(String[] args) throws Throwable {
        String[] names = {
            "getField",
            "putField",
            "getStatic",
            "putStatic",
            "invokeVirtual",
            "invokeStatic",
            "invokeSpecial",
            "newInvokeSpecial",
            "invokeInterface",
            "missing",
            "missingField",
            "staticAsVirtual",
            "missingClass",
            "type0",
            "type1",
            "type2"
        };
        for (int r = 0; r < 2; r++)
            for (String n : names) {
                try {
                    Object o = GenHandles.class.getMethod(n).invoke(null);
                    System.out.println(n + " " + o);
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(
                            n + " " + e.getCause() + " cause " + e.getCause().getCause());
                }
            }
        GenHandles h = (GenHandles) GenHandles.newInvokeSpecial().invoke();
        GenHandles.putField().invoke(h, 12);
        GenHandles.putStatic().invoke(13L);
        System.out.println(
                (int) GenHandles.getField().invokeExact(h)
                        + " "
                        + (long) GenHandles.getStatic().invokeExact()
                        + " "
                        + (int) GenHandles.invokeVirtual().invoke(h)
                        + (int) GenHandles.invokeStatic().invoke()
                        + (int) GenHandles.invokeSpecial().invoke(h)
                        + (int) GenHandles.invokeInterface().invoke(java.util.List.of(1, 2)));
        System.out.println(GenHandles.type0() == GenHandles.type0());
    }
}
