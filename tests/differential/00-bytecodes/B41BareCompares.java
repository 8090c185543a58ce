// covers: lcmp(less,equal,greater) fcmpl(less,equal,greater,nan) fcmpg(less,equal,greater,nan)
// covers: dcmpl(less,equal,greater,nan) dcmpg(less,equal,greater,nan)
/** What comparisons push, where no branch follows; often enough to be compiled. */
public class B41BareCompares {
    public static void main(String[] args) {
        long[] longs = {Long.MIN_VALUE, -(1L << 32), -1, 0, 1, 1L << 31, 1L << 32, Long.MAX_VALUE};
        float[] floats = {Float.NEGATIVE_INFINITY, -1.5f, -0.0f, 0.0f, Float.MIN_VALUE, 2, Float.POSITIVE_INFINITY, Float.NaN};
        StringBuilder out = new StringBuilder();
        for (int round = 0; round < 50; round++) {
            out.setLength(0);
            for (int i = 0; i < longs.length; i++) {
                for (int k = 0; k < longs.length; k++) {
                    out.append(GenCompares.lcmp(longs[i], longs[k])).append(' ');
                    out.append(GenCompares.fcmpl(floats[i], floats[k])).append(GenCompares.fcmpg(floats[i], floats[k]));
                    out.append(' ').append(GenCompares.dcmpl(floats[i], floats[k])).append(GenCompares.dcmpg(floats[i], floats[k]));
                    out.append(k + 1 == longs.length ? '\n' : ' ');
                }
            }
        }
        System.out.print(out);
    }
}
