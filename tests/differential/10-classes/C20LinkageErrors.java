// covers: getstatic(NoSuchField,IncompatibleClassChange,IllegalAccess,NoClassDefFound) putstatic(IncompatibleClassChange,IllegalAccess) getfield(IncompatibleClassChange,IllegalAccess) putfield(IncompatibleClassChange,IllegalAccess)
// covers: invokestatic(NoSuchMethod,IncompatibleClassChange,IllegalAccess,NoClassDefFound,UnsatisfiedLink) invokevirtual(IncompatibleClassChange,IllegalAccess,UnsatisfiedLink) invokeinterface(NoSuchMethod,IncompatibleClassChange) new(Instantiation,NoClassDefFound,IllegalAccess) checkcast(NoClassDefFound) instanceof(NoClassDefFound) anewarray(NoClassDefFound) multianewarray(NoClassDefFound) ldc(NoClassDefFound)
public class C20LinkageErrors {
    public static void main(String[] args) throws Exception {
        int n = LinkUser.count();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < n; i++) {
                try {
                    System.out.println(i + " " + Class.forName("LinkUser").getMethod("case" + i).invoke(null));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    Throwable t = e.getCause();
                    System.out.println(i + " " + t);
                    if (t.getCause() != null) System.out.println(i + " cause " + t.getCause());
                }
            }
        }
    }
}
