/** One loop, entered by on-stack replacement and left by a guard, round after round. */
public class Cycles {
    static long loop(int rounds, int[] some, Object lock) {
        long sum = 0;
        double half = 0.5;
        synchronized (lock) {
            for (int i = 0; i < rounds; i++) {
                sum = sum * 31 + some[i & 255];
                half = half * 0.5 + (sum & 1);
            }
        }
        return sum ^ Double.doubleToLongBits(half);
    }

    public static void main(String[] args) {
        int[] some = new int[256];
        for (int i = 0; i < some.length; i++) {
            some[i] = i * 0x9e3779b9;
        }
        Object lock = new Object();
        System.out.println(loop(Integer.parseInt(args[0]), some, lock) + " " + Thread.holdsLock(lock));
    }
}
