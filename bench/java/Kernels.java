import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/**
 * The twelve kernels of the interpreter figure. Each returns a checksum, so that a wrong answer is
 * no fast answer, and spends its time in its own bytecodes, not in natives.
 */
final class Kernels {
    interface Kernel {
        long run(int n);
    }

    static final String[] NAMES = {
        "sieve",
        "fib",
        "virt",
        "mandel",
        "nbody",
        "switch",
        "mix",
        "interfaces",
        "exceptions",
        "strings",
        "monitors",
        "lambdas"
    };

    /** Sizes for about a quarter of a second each under HotSpot's interpreter. */
    static final int[] SIZES = {
        200, 30, 1_200_000, 240, 90_000, 5_000_000, 90, 1_100_000, 90_000, 2_200, 2_200_000, 180_000
    };

    static Kernel get(int index) {
        switch (index) {
            case 0:
                return Kernels::sieve;
            case 1:
                return Kernels::fibSum;
            case 2:
                return Kernels::virt;
            case 3:
                return Kernels::mandel;
            case 4:
                return NBody::run;
            case 5:
                return Kernels::switches;
            case 6:
                return Kernels::mix;
            case 7:
                return Kernels::interfaces;
            case 8:
                return Kernels::exceptions;
            case 9:
                return Kernels::strings;
            case 10:
                return Kernels::monitors;
            default:
                return Kernels::lambdas;
        }
    }

    static long sieve(int rounds) {
        int[] flags = new int[16_384];
        long count = 0;
        for (int r = 0; r < rounds; r++) {
            for (int i = 2; i < flags.length; i++) {
                flags[i] = 1;
            }
            for (int i = 2; i < flags.length; i++) {
                if (flags[i] != 0) {
                    count++;
                    for (int j = i + i; j < flags.length; j += i) {
                        flags[j] = 0;
                    }
                }
            }
        }
        return count;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static long fibSum(int n) {
        return fib(n);
    }

    abstract static class Shape {
        int side = 3;

        abstract int area();

        int grow(int by) {
            side = (side + by) & 1023;
            return side;
        }
    }

    static final class Square extends Shape {
        int area() {
            return side * side;
        }
    }

    static final class Strip extends Shape {
        int width = 5;

        int area() {
            return side * width;
        }
    }

    static long virt(int n) {
        Shape[] shapes = {new Square(), new Strip(), new Square()};
        long sum = 0;
        for (int i = 0, k = 0; i < n; i++) {
            Shape s = shapes[k];
            sum += s.area() + s.grow(i & 7);
            if (++k == 3) {
                k = 0;
            }
        }
        return sum;
    }

    static long mandel(int size) {
        long total = 0;
        for (int py = 0; py < size; py++) {
            double y0 = 2.0 * py / size - 1.0;
            for (int px = 0; px < size; px++) {
                double x0 = 3.0 * px / size - 2.0;
                double x = 0;
                double y = 0;
                long steps = 0;
                while (x * x + y * y < 4.0 && steps < 200L) {
                    double t = x * x - y * y + x0;
                    y = 2.0 * x * y + y0;
                    x = t;
                    steps++;
                }
                total += steps;
            }
        }
        return total;
    }

    static long switches(int n) {
        int state = 1;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            switch (state & 7) {
                case 0:
                    state = state * 5 + 1;
                    break;
                case 1:
                    state += 7;
                    break;
                case 2:
                    state ^= 0x55;
                    break;
                case 3:
                    state = state >>> 1;
                    break;
                case 4:
                    state -= 3;
                    break;
                case 5:
                    state = state * 3;
                    break;
                default:
                    state += i;
            }
            switch (state & 0xff00) {
                case 0x100:
                    sum += 1;
                    break;
                case 0x1100:
                    sum += 2;
                    break;
                case 0x4200:
                    sum += 3;
                    break;
                case 0xff00:
                    sum += 4;
                    break;
                default:
                    sum += 5;
            }
        }
        return sum * 31 + state;
    }

    static void quicksort(int[] a, int low, int high) {
        int i = low;
        int j = high;
        int pivot = a[(low + high) >>> 1];
        while (i <= j) {
            while (a[i] < pivot) {
                i++;
            }
            while (a[j] > pivot) {
                j--;
            }
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (low < j) {
            quicksort(a, low, j);
        }
        if (i < high) {
            quicksort(a, i, high);
        }
    }

    static final class Chain {
        final int key;
        int count;
        final Chain next;

        Chain(int key, Chain next) {
            this.key = key;
            this.next = next;
        }
    }

    static long mix(int rounds) {
        long result = 0;
        int[] numbers = new int[6000];
        Chain[] table = new Chain[512];
        char[] text = new char[4000];
        byte[] bytes = new byte[4000];
        int seed = 17;
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < numbers.length; i++) {
                seed = seed * 1103515245 + 12345;
                numbers[i] = seed >>> 8;
            }
            quicksort(numbers, 0, numbers.length - 1);
            for (int i = 0; i < numbers.length; i++) {
                int key = numbers[i] & 2047;
                int slot = key & 511;
                Chain c = table[slot];
                while (c != null && c.key != key) {
                    c = c.next;
                }
                if (c == null) {
                    table[slot] = c = new Chain(key, table[slot]);
                }
                c.count++;
            }
            for (int i = 0; i < text.length; i++) {
                text[i] = (char) ('a' + (numbers[i] & 15));
                bytes[i] = (byte) (text[i] ^ i);
            }
            int hash = 0;
            for (int i = 0; i < text.length; i++) {
                hash = hash * 31 + text[i] + bytes[i];
            }
            result += hash + table[7].count;
        }
        return result;
    }

    interface Codec {
        int encode(int v);

        default int twice(int v) {
            return encode(encode(v));
        }
    }

    interface Sized {
        int size();
    }

    static final class Plus implements Codec, Sized {
        public int encode(int v) {
            return v + 3;
        }

        public int size() {
            return 1;
        }
    }

    static final class Xor implements Sized, Codec {
        public int encode(int v) {
            return v ^ 0x5a5a;
        }

        public int size() {
            return 2;
        }
    }

    static final class Rotate implements Codec, Sized, Comparable<Rotate> {
        public int encode(int v) {
            return (v << 3) | (v >>> 29);
        }

        public int size() {
            return 3;
        }

        public int compareTo(Rotate o) {
            return 0;
        }
    }

    static long interfaces(int n) {
        Codec[] codecs = {new Plus(), new Xor(), new Rotate(), new Plus()};
        int v = 1;
        long sizes = 0;
        for (int i = 0; i < n; i++) {
            Codec c = codecs[i & 3];
            v = (i & 15) == 0 ? c.twice(v) : c.encode(v);
            if (c instanceof Sized) {
                sizes += ((Sized) c).size();
            }
        }
        return v + sizes;
    }

    static final class Signal extends RuntimeException {
        final int value;

        Signal(int value) {
            super(null, null, false, false);
            this.value = value;
        }
    }

    static int deep(int n, int v) {
        if (n == 0) {
            if ((v & 1) == 0) {
                throw new Signal(v);
            }
            return v;
        }
        try {
            return deep(n - 1, v) + 1;
        } finally {
            finallies++;
        }
    }

    static long finallies;

    static long exceptions(int n) {
        long sum = 0;
        int[] small = new int[4];
        finallies = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += deep(3, i);
            } catch (Signal s) {
                sum += s.value;
            }
            try {
                sum += small[i & 7];
            } catch (ArrayIndexOutOfBoundsException e) {
                sum += 2;
            }
        }
        return sum + finallies;
    }

    static long strings(int n) {
        long sum = 0;
        String words = "the quick brown fox jumps over the lazy dog and runs away from the bear";
        for (int i = 0; i < n; i++) {
            StringBuilder b = new StringBuilder();
            int start = 0;
            for (int j = 0; j <= words.length(); j++) {
                if (j == words.length() || words.charAt(j) == ' ') {
                    String w = words.substring(start, j);
                    if (w.equals("the")) {
                        sum++;
                    }
                    b.append(Character.toUpperCase(w.charAt(0))).append(w.length()).append(i & 63);
                    start = j + 1;
                }
            }
            String s = b.toString();
            sum += s.indexOf("J5") + s.length() + s.compareTo(words) + s.lastIndexOf('B');
        }
        return sum;
    }

    private static final Object LOCK = new Object();
    private static int guarded;

    static synchronized int next() {
        return ++guarded;
    }

    static long monitors(int n) {
        guarded = 0;
        Object[] locks = new Object[8];
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
        long sum = 0;
        for (int i = 0; i < n; i++) {
            synchronized (locks[i & 7]) {
                sum += i;
                if ((i & 3) == 0) {
                    synchronized (LOCK) {
                        sum++;
                    }
                }
            }
            if ((i & 1) == 0) {
                sum += next();
            }
        }
        return sum;
    }

    static long lambdas(int n) {
        List<IntUnaryOperator> steps = new ArrayList<>();
        for (int k = 1; k <= 8; k++) {
            int by = k;
            steps.add(x -> x * 3 + by);
        }
        IntBinaryOperator combine = (a, b) -> a ^ (b >>> 1);
        int v = 1;
        for (int i = 0; i < n; i++) {
            int captured = v;
            Supplier<Integer> late = () -> captured & 127;
            v = combine.applyAsInt(steps.get(i & 7).applyAsInt(v), late.get());
        }
        return v;
    }

    private Kernels() {}
}
