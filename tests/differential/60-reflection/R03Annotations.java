// covers: JVM_GetClassAnnotations JVM_GetMethodParameters JVM_GetRecordComponents
// covers: JVM_GetPermittedSubclasses JVM_ConstantPoolGetUTF8At JVM_ConstantPoolGetIntAt
// covers: JVM_ConstantPoolGetLongAt JVM_ConstantPoolGetDoubleAt JVM_ConstantPoolGetFloatAt
// covers: JVM_GetClassTypeAnnotations
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

public class R03Annotations {
    enum En {
        A,
        B
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface All {
        boolean z() default true;

        byte b() default 1;

        char c() default 'c';

        short s() default 2;

        int i() default 3;

        long l() default 4;

        float f() default 5;

        double d() default 6;

        String str() default "s";

        Class<?> cls() default String.class;

        En en() default En.B;

        int[] arr() default {1, 2};

        String[] strs() default {};

        Sub sub() default @Sub("x");

        Sub[] subs() default {@Sub("p"), @Sub("q")};
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target({
        ElementType.TYPE_USE,
        ElementType.METHOD,
        ElementType.PARAMETER,
        ElementType.FIELD,
        ElementType.TYPE
    })
    @interface Sub {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Reps.class)
    @interface Rep {
        int value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Reps {
        Rep[] value();
    }

    @interface ClassOnly {}

    @All
    @Rep(1)
    @Rep(2)
    @ClassOnly
    static class A {
        @All(
                i = 99,
                l = 1L << 40,
                d = 2.5,
                f = 1.5f,
                cls = int[].class,
                str = "\u20ac",
                c = '\uffff',
                en = En.A,
                arr = {})
        public int field;

        @Deprecated
        public @Sub("ret") String m(@Sub("p") int first, final List<@Sub("ta") String> second)
                throws @Sub("ex") Exception {
            return null;
        }
    }

    static class B extends A {}

    @Sub("rec")
    record R(@Sub("c1") int x, List<String> y) {}

    sealed interface S permits S1, S2 {}

    static final class S1 implements S {}

    static non-sealed class S2 implements S {}

    public static void main(String[] args) throws Exception {
        for (Class<?> c : new Class<?>[] {A.class, B.class, R.class})
            System.out.println(c.getSimpleName() + Arrays.toString(c.getAnnotations()));
        All a = A.class.getField("field").getAnnotation(All.class);
        System.out.println(
                a.i()
                        + " "
                        + a.l()
                        + a.d()
                        + a.f()
                        + a.cls()
                        + a.str()
                        + (int) a.c()
                        + a.en()
                        + a.arr().length
                        + a.sub().value()
                        + a.subs()[1].value()
                        + a.annotationType());
        System.out.println(
                A.class.getAnnotationsByType(Rep.class).length
                        + " "
                        + a.equals(A.class.getField("field").getAnnotation(All.class))
                        + (a.hashCode()
                                == A.class.getField("field").getAnnotation(All.class).hashCode())
                        + a.equals(A.class.getAnnotation(All.class)));
        Method m = A.class.getMethod("m", int.class, List.class);
        System.out.println(
                Arrays.toString(m.getAnnotations())
                        + Arrays.deepToString(m.getParameterAnnotations())
                        + m.getAnnotatedReturnType().getAnnotations().length
                        + m.getAnnotatedExceptionTypes()[0].getAnnotations()[0]
                        + ((AnnotatedParameterizedType) m.getAnnotatedParameterTypes()[1])
                                .getAnnotatedActualTypeArguments()[0].getAnnotation(Sub.class));
        for (Parameter p : m.getParameters())
            System.out.println(
                    p.getName() + p.isNamePresent() + p.getModifiers() + p.getParameterizedType());
        for (RecordComponent rc : R.class.getRecordComponents())
            System.out.println(
                    rc.getName()
                            + rc.getType()
                            + rc.getGenericType()
                            + rc.getAccessor()
                            + Arrays.toString(rc.getAnnotations())
                            + rc.getAccessor().invoke(new R(5, List.of("z"))));
        System.out.println(
                Arrays.toString(S.class.getPermittedSubclasses())
                        + S.class.isSealed()
                        + S2.class.isSealed());
        System.out.println(
                All.class.getMethod("arr").getDefaultValue().getClass()
                        + " "
                        + All.class.getMethod("sub").getDefaultValue());
        System.out.println(
                R03Annotations.class.getDeclaredClasses().length
                        + " "
                        + Arrays.stream(R03Annotations.class.getDeclaredClasses())
                                .map(Class::getSimpleName)
                                .sorted()
                                .toList());
    }
}
