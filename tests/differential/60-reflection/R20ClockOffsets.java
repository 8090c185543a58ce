// vm: own --add-opens java.base/jdk.internal.misc=ALL-UNNAMED
// covers: JVM_GetNanoTimeAdjustment
import java.lang.reflect.Method;

/** How far the clock may be from an offset in seconds, to both sides, before the answer is -1. */
public class R20ClockOffsets {
    public static void main(String[] args) throws Exception {
        Method adjustment = Class.forName("jdk.internal.misc.VM").getDeclaredMethod("getNanoTimeAdjustment", long.class);
        adjustment.setAccessible(true);
        long far = 1L << 32;
        // The clock may reach its next second between the two readings.
        for (long distance : new long[] {0, 1000, far - 1000, far, far + 1000, Long.MAX_VALUE}) {
            for (int sign = -1; sign <= 1; sign += 2) {
                long before;
                long after;
                long answer;
                do {
                    before = System.currentTimeMillis() / 1000;
                    answer = (long) adjustment.invoke(null, before + sign * distance);
                    after = System.currentTimeMillis() / 1000;
                } while (before != after);
                System.out.println(sign * distance + " " + (answer == -1 ? -1 : Math.floorDiv(answer, 1_000_000_000L)));
            }
        }
    }
}
