// covers:
// covers:
// covers: JVM_FindClassFromCaller(ClassCircularity,IncompatibleClassChange,NoClassDefFound,IllegalAccess)
public class C22Hierarchies {
    public static void main(String[] args) {
        String[] names = {
            "HierExtendsFinal",
            "HierExtendsInterface",
            "HierImplementsClass",
            "HierMissingSuper",
            "HierMissingInterface",
            "HierCircleA",
            "HierCircleI",
            "HierHiddenSuper",
            "HierFinalMethod",
            "HierPermitted",
            "HierNotPermitted",
            "HierExtendsEnum",
            "LinkPlain"
        };
        for (int round = 0; round < 2; round++) {
            for (String n : names) {
                try {
                    System.out.println(Class.forName(n).getName() + " loaded");
                } catch (Throwable t) {
                    System.out.println(n + ": " + t);
                    if (t.getCause() != null) System.out.println("  cause " + t.getCause());
                }
            }
        }
    }
}
