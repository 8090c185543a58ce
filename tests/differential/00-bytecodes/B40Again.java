// vm: own
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;

/**
 * The programs of this folder many times over, until what they execute once is compiled; prints what the last
 * time printed. In a VM of its own, for the sake of their static fields.
 */
public class B40Again {
    private static final String[] PROGRAMS = {
        "B03IntConst", "B04IntArith", "B05LongArith", "B06Shifts", "B07FloatArith", "B08DoubleArith", "B09Conversions", "B10Branches",
        "B11Switches", "B12Locals", "B13PrimitiveArrays", "B14RefArrays", "B15Fields", "B16Calls", "B18Casts", "B19Stack",
        "B21NaNBits", "B22LdcConstants", "B23Synchronized", "B24Slots", "B25EvaluationOrder", "B26FieldLayouts", "B28DeepExpressions",
        "B30StackForms", "B31Narrow", "B32Wide", "B34SwitchForms", "B35Jsr", "B36Handlers", "B37Monitors", "B38Constants",
    };

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        for (String name : PROGRAMS) {
            Method main = Class.forName(name).getMethod("main", String[].class);
            ByteArrayOutputStream last = null;
            for (int i = 0; i < 40; i++) {
                last = new ByteArrayOutputStream();
                System.setOut(new PrintStream(last));
                try {
                    main.invoke(null, (Object) new String[0]);
                } finally {
                    System.out.flush();
                    System.setOut(out);
                }
            }
            out.println("== " + name);
            out.print(last);
        }
    }
}
