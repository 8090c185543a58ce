// covers: dup(ok) dup_x1(ok) dup_x2(form1,form2) dup2(form1,form2) dup2_x1(form1,form2)
// covers: dup2_x2(form1,form2) pop(ok) pop2(form1,form2) swap(ok)
public class B19Stack {
    int i = 1;
    long l = 2;
    static int si = 3;
    static long sl = 4;

    static int used(int a) {
        return a * 7;
    }

    static long usedLong(long a) {
        return a * 7;
    }

    public static void main(String[] args) {
        B19Stack o = new B19Stack();
        int[] a = {10, 20, 30};
        long[] b = {11, 21, 31};
        System.out.println(o.i++);
        System.out.println(++o.i);
        System.out.println(o.l++);
        System.out.println(++o.l);
        System.out.println(si++);
        System.out.println(sl++);
        System.out.println(a[1]++);
        System.out.println(++a[1]);
        System.out.println(b[1]++);
        System.out.println(++b[1]);
        System.out.println(o.i = a[0] = si = 77);
        System.out.println(o.l = b[0] = sl = 88L);
        System.out.println(a[0] += b[0] += 5);
        used(3);
        usedLong(4);
        new B19Stack();
        int x = 5;
        x = x++ + ++x;
        System.out.println(x);
        int k = 0;
        a[k++] = k++ + k;
        System.out.println(a[0] + k * 100);
        a[k] = k = 0;
        System.out.println(a[2] + k);
    }
}
