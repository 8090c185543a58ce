// covers:
// JNI(New*Array,Get*ArrayElements,Release*ArrayElements,Get*ArrayRegion,Set*ArrayRegion,GetPrimitiveArrayCritical,ObjectArray)
public class J03Arrays {
    static {
        System.loadLibrary("jnitest");
    }

    static native void arrays();

    static native long sumCritical(long[] a, int[] b);

    static volatile Object junk;

    public static void main(String[] args) throws Exception {
        arrays();
        long[] a = new long[1000];
        int[] b = new int[77];
        for (int i = 0; i < a.length; i++) a[i] = i;
        for (int i = 0; i < b.length; i++) b[i] = -i;
        Thread alloc =
                new Thread(
                        () -> {
                            for (int i = 0; i < 20000; i++) junk = new byte[1000];
                        });
        alloc.start();
        long t = 0;
        for (int i = 0; i < 5000; i++) t += sumCritical(a, b);
        alloc.join();
        System.out.println(t);
    }
}
