/** A remainder of floating point numbers is a call in compiled code, and no access: a fence owed may wait behind it. */
public class B39RemainderBehindStore {
    char c;
    double d;
    static int s = 3;

    int behind(float x, float y) {
        c = (char) (int) y;
        int n = (int) (x % y);
        return n + s;
    }
    int wide(double x, double y) {
        d = y;
        long n = (long) (x % y);
        return (int) n + s;
    }
    public static void main(String[] args) {
        B39RemainderBehindStore o = new B39RemainderBehindStore();
        int sum = 0;
        for (int i = 1; i < 5000; i++) {
            sum += o.behind(i, 7 + i % 5) + o.wide(i * 3.5, 11 - i % 4);
        }
        System.out.println(sum + " " + (int) o.c + " " + o.d);
    }
}
