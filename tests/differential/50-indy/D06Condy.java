// covers: ldc(condy-int,condy-float,condy-ref,condy-failure,condy-null)
// covers: ldc2_w(condy-long,condy-double)
public class D06Condy {
    public static void main(String[] args) throws Throwable {
        for (int r = 0; r < 2; r++) {
            System.out.println(
                    GenCondy.intValue()
                            + " "
                            + GenCondy.longValue()
                            + " "
                            + GenCondy.floatValue()
                            + " "
                            + GenCondy.doubleValue()
                            + " "
                            + GenCondy.booleanValue()
                            + " "
                            + GenCondy.byteValue()
                            + " "
                            + GenCondy.charValue()
                            + " "
                            + GenCondy.shortValue());
            System.out.println(
                    GenCondy.stringValue()
                            + " "
                            + GenCondy.nullValue()
                            + " "
                            + GenCondy.arrayValue()[1]
                            + " "
                            + (GenCondy.arrayValue() == GenCondy.arrayValue()));
            System.out.println(GenCondy.nested() + " " + GenCondy.primitive());
            try {
                GenCondy.failValue();
            } catch (Throwable t) {
                System.out.println(t + " " + t.getCause());
            }
            try {
                GenCondy.wrongValue();
            } catch (Throwable t) {
                System.out.println(t + " " + t.getCause());
            }
        }
    }
}
