// covers: JVM_CallStackWalk JVM_MoreStackWalk JVM_GetCallerClass
import java.util.stream.Collectors;

public class D11StackWalker {
    static void a(int n) {
        if (n > 0) a(n - 1);
        else b();
    }

    static void b() {
        p(
                StackWalker.getInstance()
                        .walk(
                                s ->
                                        s.filter(f -> f.getClassName().equals("D11StackWalker"))
                                                .map(
                                                        f ->
                                                                f.getMethodName()
                                                                        + ":"
                                                                        + f.getLineNumber()
                                                                        + ":"
                                                                        + f.getByteCodeIndex())
                                                .collect(Collectors.toList())));
        p(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).getCallerClass());
        p(
                StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(
                                s ->
                                        s.limit(3)
                                                .map(
                                                        f ->
                                                                f.getDeclaringClass()
                                                                                .getSimpleName()
                                                                        + f.getMethodType()
                                                                        + f.getDescriptor()
                                                                        + f.isNativeMethod())
                                                .collect(Collectors.toList())));
        p(
                StackWalker.getInstance()
                        .walk(s -> s.filter(f -> f.getClassName().startsWith("D11")).count()));
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException e) {
            p(e.getMessage());
        }
        Runnable r =
                () ->
                        p(
                                StackWalker.getInstance()
                                        .walk(
                                                s ->
                                                        s.filter(
                                                                        f ->
                                                                                f.getClassName()
                                                                                        .startsWith(
                                                                                                "D11"))
                                                                .map(
                                                                        StackWalker.StackFrame
                                                                                ::getMethodName)
                                                                .limit(3)
                                                                .collect(Collectors.toList())));
        r.run();
    }

    static void p(Object o) {
        System.out.println(o);
    }

    public static void main(String[] args) {
        a(40);
    }
}
