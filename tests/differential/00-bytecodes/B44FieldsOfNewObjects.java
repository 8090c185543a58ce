/** What was just stored into a new object is known, unless another name of it, or a call, has changed it. */
public class B44FieldsOfNewObjects {
    int a;
    int b;
    byte small;
    float f;
    double d;
    long wide;
    volatile int shared;
    B44FieldsOfNewObjects next;
    static final B44FieldsOfNewObjects[] kept = new B44FieldsOfNewObjects[1];

    private void change() {
        a += 1000;
    }

    private static int known(int x) {
        B44FieldsOfNewObjects o = new B44FieldsOfNewObjects();
        o.a = x;
        o.small = (byte) x;
        o.f = x * 0.5f;
        o.d = -0.0;
        o.wide = (long) x << 33;
        o.shared = x;
        int sum = o.a + o.small + (int) o.f + (int) (o.wide >> 32) + o.shared + o.b;
        return 1 / o.d < 0 ? sum : -sum;
    }

    private static int itself(int x) {
        B44FieldsOfNewObjects o = new B44FieldsOfNewObjects();
        o.a = x;
        o.next = o;
        o.next.a = x + 1;
        int first = o.a;
        o.next.next.a += 5;
        return first * 3 + o.a;
    }

    private static int itselfLater(int x) {
        B44FieldsOfNewObjects o = new B44FieldsOfNewObjects();
        o.next = o;
        int[] some = new int[x & 3];
        o.b = x;
        o.next.b = x + some.length + 1;
        return o.b;
    }

    private static int names(int x) {
        B44FieldsOfNewObjects o = new B44FieldsOfNewObjects();
        B44FieldsOfNewObjects p = new B44FieldsOfNewObjects();
        o.a = x;
        p.a = 2 * x;
        B44FieldsOfNewObjects either = x % 3 == 0 ? o : p;
        either.a = 7;
        B44FieldsOfNewObjects none = x % 5 == 0 ? null : o;
        o.next = none;
        if (none != null) {
            o.next.b = x;
        }
        return o.a * 31 + p.a + o.b;
    }

    private static int changed(int x) {
        B44FieldsOfNewObjects o = new B44FieldsOfNewObjects();
        o.a = x;
        o.change();
        int first = o.a;
        kept[0] = o;
        kept[0].change();
        return first + o.a;
    }

    private static int ways(int x) {
        B44FieldsOfNewObjects o = new B44FieldsOfNewObjects();
        if (x % 2 == 0) {
            o.a = x;
            o.b = x;
        } else {
            o.a = x;
            o.b = -x;
        }
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            sum += o.a + o.b;
            o.a = sum;
        }
        return sum;
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum = sum * 31 + known(i) + itself(i) + itselfLater(i) + names(i) + changed(i) + ways(i);
        }
        System.out.println(sum);
        System.out.println(known(300) + " " + itself(5) + " " + itselfLater(6) + " " + names(6) + " " + names(10) + " " + changed(3) + " " + ways(4) + " " + ways(5));
    }
}
