// covers: JVM_FillInStackTrace JVM_InitStackTraceElementArray
public class E02StackTrace {
    int x;
    static void a() {
        b(
            1,
            2
        );
    }
    static void b(int p, int q) {
        int r = p;
        throw new IllegalStateException(
            "at two lines");
    }
    E02StackTrace() {
        this(0);
    }
    E02StackTrace(int k) {
        x = 10 / k;
    }
    static class Inner {
        static int f = compute();
        static int compute() { Object o = null; return o.hashCode(); }
    }
    static void print(Throwable t) {
        while (t != null) {
            System.out.println(t);
            for (StackTraceElement e : t.getStackTrace()) {
                if (e.getClassName().startsWith("E02")) {
                    System.out.println(e.getClassName() + "." + e.getMethodName() + " " + e.getFileName() + " " + e.getLineNumber() + " " + e.isNativeMethod()
                        + " " + e.getModuleName() + " " + e.getClassLoaderName() + " " + e);
                }
            }
            t = t.getCause();
        }
    }
    static int recurse(int n) { return n == 0 ? 1 / n : recurse(n - 1) + 1; }

    public static void main(String[] args) {
        try { a(); } catch (Exception e) { print(e); }
        try { new E02StackTrace(); } catch (Exception e) { print(e); }
        try { System.out.println(Inner.f); } catch (Throwable e) { print(e); }
        try { recurse(5); } catch (Exception e) { print(e); }
        try { recurse(2000); } catch (Exception e) { System.out.println(e.getStackTrace().length); }
        try { "x".substring(5); } catch (Exception e) { System.out.println(e.getMessage()); StackTraceElement s = e.getStackTrace()[0]; System.out.println(s.getModuleName() + s.getClassName()); }
        Throwable t = new Throwable("not thrown");
        System.out.println(t.getStackTrace()[0].getLineNumber());
        t.fillInStackTrace();
        System.out.println(t.getStackTrace()[0].getLineNumber());
        t.setStackTrace(new StackTraceElement[]{new StackTraceElement("X", "y", "Z.java", 3)});
        System.out.println(t.getStackTrace()[0]);
        Throwable none = new Throwable("no trace", null, false, false) { };
        System.out.println(none.getStackTrace().length);
        System.out.println(new Error("m", new Exception("c")).getCause().getMessage());
        new Exception("printed").printStackTrace();
        try { a(); } catch (Exception e) { new RuntimeException("outer", e).printStackTrace(); }
    }
}
