import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.Arrays;

/** Loads whose value the code has seen before, and those where it has not: other names, narrow fields, constructors, reflection, waiting threads. */
public class B48KnownLoads {
    static class Cell {
        int n;
        byte b;
        char c;
        short s;
        boolean z;
        long l;
        float f;
        double d;
        Object o;
        Cell next;
        final int[] numbers;
        final Cell inner;

        Cell(Cell inner, int... numbers) {
            this.inner = inner;
            this.numbers = numbers;
        }
    }

    static int shared;
    static Object any;

    // What is stored is loaded, after the bits that do not fit are gone.
    static long stored(Cell c, int v) {
        c.n = v;
        long x = c.n;
        c.b = (byte) v;
        x = x * 31 + c.b;
        c.c = (char) v;
        x = x * 31 + c.c;
        c.s = (short) v;
        x = x * 31 + c.s;
        c.z = v % 3 == 0;
        x = x * 31 + (c.z ? 1 : 0);
        c.l = v * 0x100000001L;
        x = x * 31 + c.l;
        c.f = v / 3f;
        x = x * 31 + Float.floatToRawIntBits(c.f);
        c.d = v / 7d;
        x = x * 31 + Double.doubleToRawLongBits(c.d);
        shared = v ^ 5;
        return x * 31 + shared;
    }

    // Two names may be the same object, or not.
    static int names(Cell a, Cell b, int v) {
        a.n = v;
        b.n = v + 1;
        int x = a.n;
        a.numbers[0] = x;
        b.numbers[1] = x + 1;
        b.numbers[0] = x + 2;
        return x * 31 + a.numbers[0] * 7 + a.numbers[1] + a.numbers[0];
    }

    static int elements(int[] a, int i, int j) {
        a[i] = 3;
        a[j] = 4;
        int x = a[i];
        a[i] = x + 1;
        return x * 10 + a[i] + a[j];
    }

    static int bytes(byte[] a, boolean[] z, int i, int v) {
        a[i] = (byte) v;
        // A byte below 0 is another char, and a char another short.
        int x = a[i] + a[i] + (char) a[i] + (short) (char) (v * 7);
        z[i] = (v & 2) != 0;
        return x + (z[i] ? 1000 : 0) + (z[i] ? 5 : 0);
    }

    // The second look is at what the first has seen, if that was something.
    static int tested(Cell c) {
        int x = c.next != null ? c.next.n : -1;
        if (c.next == null) {
            c.next = new Cell(null, x);
            x = c.next.n + c.next.numbers[0];
        }
        return x + c.next.n;
    }

    static int finals(Cell c, int i) {
        int x = c.numbers[i];
        c.n = x;
        x += c.numbers[i + 1] + c.inner.numbers[i];
        c.inner.n = x;
        x += c.inner.numbers.length + c.n;
        for (int k = 0; k < c.numbers.length; k++) {
            c.inner.numbers[0] += c.numbers[k];
            x += c.inner.numbers[0] + c.inner.inner.n;
        }
        return x;
    }

    static String nothing(Cell c) {
        try {
            shared = c.numbers.length;
            return "numbers " + c.inner.n + c.inner.inner.n;
        } catch (NullPointerException e) {
            return "null after " + shared;
        }
    }

    static class Base {
        final String first;
        int seen;

        Base() {
            seen = look();
            first = "first" + seen;
            seen = seen * 10 + look();
        }

        int look() {
            return first == null ? 1 : first.length();
        }
    }

    static class Derived extends Base {
        final int[] own;
        final Derived self;
        int later;

        Derived(int n) {
            super();
            Derived same = this;
            later = same.own == null ? 1 : 2;
            own = new int[] {n};
            later = later * 10 + own[0];
            later = later * 10 + (same.self == null ? 4 : 5);
            self = n % 8 == 0 ? this : null;
            later = later * 10 + (self == null ? 3 : self.own[0]);
        }

        @Override
        int look() {
            return super.look() + (own == null ? 100 : own[0]) + (self != null ? 1000 : 0);
        }
    }

    static final Field NUMBERS;
    static {
        try {
            NUMBERS = Cell.class.getDeclaredField("numbers");
            NUMBERS.setAccessible(true);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static int reflected(Cell c, int[] other) throws Exception {
        int x = c.numbers[0];
        NUMBERS.set(c, other);
        x = x * 100 + c.numbers[0];
        NUMBERS.set(c, null);
        return x * 10 + (c.numbers == null ? 1 : c.numbers[0]);
    }

    // A thread that waits for a field that is not volatile. The other thread runs until it is answered.
    static int asked, answered;
    static volatile int spins;

    static void play(int rounds) throws Exception {
        Thread t = new Thread(() -> {
            for (int n = 1; n <= rounds; n++) {
                while (asked != n) {
                    spins++;
                }
                answered = n;
            }
        });
        t.start();
        for (int n = 1; n <= rounds; n++) {
            asked = n;
            while (answered != n) {
                Thread.yield();
            }
        }
        t.join();
    }

    // System.out is final by name only.
    static volatile int turn;

    static boolean isReplaced() {
        PrintStream before = System.out;
        if (before == null) {
            return false;
        }
        turn = turn + 1;
        while (turn % 2 != 0) {
            shared++;
        }
        return System.out != before;
    }

    static int replaced(PrintStream[] streams, int rounds) throws Exception {
        Thread t = new Thread(() -> {
            for (int n = 0; n < rounds; n++) {
                while (turn % 2 == 0) {
                    Thread.yield();
                }
                System.setOut(streams[n % 2]);
                turn++;
            }
        });
        t.start();
        int seen = 0;
        for (int n = 0; n < rounds; n++) {
            seen += isReplaced() ? 1 : 0;
        }
        t.join();
        return seen;
    }

    public static void main(String[] args) throws Exception {
        long sum = 0;
        for (int i = 0; i < 20_000; i++) {
            Cell a = new Cell(new Cell(new Cell(null), 1, 2), 3, 4, 5), b = new Cell(a, 6, 7, 8);
            any = i % 2 == 0 ? a : b;
            sum = sum * 31 + stored(i % 3 == 0 ? a : (Cell) any, i * 0x1234567);
            sum = sum * 31 + names(a, i % 3 == 0 ? a : b, i) + names(b, (Cell) any, i);
            sum = sum * 31 + elements(a.numbers, i % 3, i % 2) + elements(b.numbers, 1, 1);
            sum = sum * 31 + bytes(new byte[3], new boolean[3], i % 3, i);
            sum = sum * 31 + tested(a) + tested((Cell) any);
            sum = sum * 31 + finals(b, i % 2);
            sum = sum * 31 + (nothing(a) + nothing(b) + nothing(new Cell(i % 2 == 0 ? null : a, 9))).hashCode();
            if (i % 4 == 0) {
                Derived d = new Derived(i % 8);
                sum = sum * 31 + d.seen * 7 + d.later + d.look();
                sum = sum * 31 + reflected(b, i % 8 == 0 ? a.numbers : new int[] {i});
            }
            if (i % 4000 == 0) {
                System.out.println(i + " " + sum + " " + Arrays.toString(a.numbers));
            }
        }
        System.out.println(sum);
        play(200);
        System.out.println(asked + " " + answered);
        PrintStream out = System.out;
        int seen = replaced(new PrintStream[] {new PrintStream(out, true), out}, 2000);
        System.out.println(seen);
    }
}
