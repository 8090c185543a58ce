// covers: getstatic(NoSuchField,IncompatibleClassChange,IllegalAccess,NoClassDefFound)
// covers: putstatic(IncompatibleClassChange,IllegalAccess)
// covers: getfield(IncompatibleClassChange,IllegalAccess)
// covers: putfield(IncompatibleClassChange,IllegalAccess)
// covers:
// covers:
// covers: invokestatic(NoSuchMethod,IncompatibleClassChange,IllegalAccess,NoClassDefFound,UnsatisfiedLink)
// covers: invokevirtual(IncompatibleClassChange,IllegalAccess,UnsatisfiedLink)
// covers: invokeinterface(NoSuchMethod,IncompatibleClassChange)
// covers: new(Instantiation,NoClassDefFound,IllegalAccess) checkcast(NoClassDefFound)
// covers: instanceof(NoClassDefFound) anewarray(NoClassDefFound) multianewarray(NoClassDefFound)
// covers: ldc(NoClassDefFound)
public class C20LinkageErrors {
    public static void main(String[] args) throws Exception {
        int n = LinkUser.count();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < n; i++) {
                try {
                    System.out.println(
                            i + " " + Class.forName("LinkUser").getMethod("case" + i).invoke(null));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    Throwable t = e.getCause();
                    System.out.println(i + " " + t);
                    if (t.getCause() != null) System.out.println(i + " cause " + t.getCause());
                }
            }
        }
    }
}
