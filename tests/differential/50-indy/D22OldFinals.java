// covers: putfield(final,old) putstatic(final,old)
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/** A hidden class that writes its finals, reached from a final of another class: hidden classes of newer versions keep theirs. */
public class D22OldFinals {
    static Class<?> made;

    static class Holder {
        static final Object OBJECT;

        static {
            try {
                OBJECT = made.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static int wrong() {
            int wrong = 0;
            for (int i = 0; i < 20000; i++) {
                ((IntConsumer) OBJECT).accept(i);
                if (((IntSupplier) OBJECT).getAsInt() != 2 * i) {
                    wrong++;
                }
            }
            return wrong;
        }
    }

    public static void main(String[] args) throws Exception {
        try (InputStream in = D22OldFinals.class.getResourceAsStream("/bad/OldFinals.bin")) {
            made = MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass();
        }
        for (int i = 0; i < 5; i++) {
            System.out.println(Holder.wrong());
        }
    }
}
