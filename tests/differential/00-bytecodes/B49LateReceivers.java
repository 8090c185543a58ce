import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** Calls whose receivers are of one class for long, and then of others: seldom, often, in turn, null, in loops and in what is inlined. */
public class B49LateReceivers {
    interface Shape {
        int area(int scale);

        default int twice(int scale) {
            return area(scale) + area(scale + 1);
        }
    }

    static class Square implements Shape {
        final int side;
        int asked;

        Square(int side) {
            this.side = side;
        }

        public int area(int scale) {
            asked++;
            if (scale < 0) {
                throw new IllegalArgumentException("scale " + scale);
            }
            return side * side * scale;
        }
    }

    static class Big extends Square {
        Big(int side) {
            super(side);
        }

        @Override
        public int area(int scale) {
            return super.area(scale) + 1_000_000;
        }
    }

    static class Line implements Shape {
        public int area(int scale) {
            return scale;
        }

        public int twice(int scale) {
            return -scale;
        }
    }

    static int total(Shape[] shapes, int scale) {
        int sum = 0;
        for (Shape s : shapes) {
            sum = sum * 31 + s.area(scale);
        }
        return sum;
    }

    static int through(Shape s, int scale) {
        return s.twice(scale) + s.area(1);
    }

    static String caught(Shape s, int scale) {
        try {
            return "area " + s.area(scale);
        } catch (IllegalArgumentException | NullPointerException e) {
            return e.getClass().getSimpleName();
        }
    }

    static int sum(Iterable<Integer> all) {
        int sum = 0;
        for (int x : all) {
            sum = sum * 31 + x;
        }
        return sum;
    }

    static int changing(List<Integer> all, int at) {
        int sum = 0;
        try {
            for (Integer x : all) {
                sum += x;
                if (x == at) {
                    all.add(at + 1);
                }
            }
        } catch (ConcurrentModificationException e) {
            sum = -sum;
        }
        return sum;
    }

    static Iterator<Integer> kept;

    // The iterator is its loop's alone until some element, and then everybody's.
    static int escaping(Collection<Integer> all, int at) {
        int sum = 0;
        Iterator<Integer> it = all.iterator();
        while (it.hasNext()) {
            int x = it.next();
            sum += x;
            if (x == at) {
                kept = it;
                break;
            }
        }
        try {
            sum = sum * 100 + it.next();
            sum = sum * 100 + kept.next();
            return sum * 100 + it.next();
        } catch (NoSuchElementException e) {
            return sum;
        }
    }

    static long values(Map<Integer, Integer> m) {
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : m.entrySet()) {
            sum = sum * 31 + e.getKey() * 7 + e.getValue();
        }
        return sum;
    }

    static int applied(IntUnaryOperator f, int n) {
        int x = 0;
        for (int i = 0; i < n; i++) {
            x = f.applyAsInt(x + i);
        }
        return x;
    }

    // An object of the method's own that a loop changes, and another that the loop lets out.
    static int own(int n, int leak) {
        Square a = new Square(3), b = new Square(4);
        int x = 0;
        for (int i = 0; i < n; i++) {
            a.asked += i;
            b.asked = a.asked - b.asked;
            x += a.side + b.asked;
            if (i == leak) {
                last = b;
                b.asked += 5;
                last.asked += 7;
            }
        }
        return x * 31 + a.asked * 7 + b.asked + (last == b ? last.asked : 0);
    }

    static Square last;

    public static void main(String[] args) {
        Shape[] same = {new Square(1), new Square(2), new Square(3)};
        Shape[] mixed = {new Square(1), new Big(2), new Line(), new Square(4)};
        List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5));
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 1; i < 6; i += 2) {
            map.put(i, i + 1);
        }
        Map<Integer, Integer> tree = new TreeMap<>(map);
        List<Collection<Integer>> others = Arrays.asList(new LinkedList<>(list), new ArrayDeque<>(list), Arrays.asList(7, 8, 9), Collections.singletonList(2), new TreeMap<>(map).keySet());
        long hash = 0;
        for (int i = 0; i < 30_000; i++) {
            boolean seldom = i > 10_000 && i % 997 == 0, often = i > 20_000 && i % 3 == 0;
            hash = hash * 31 + total(seldom || often ? mixed : same, i & 7);
            hash = hash * 31 + through(often ? mixed[i & 3] : same[i % 3], i & 15);
            hash = hash * 31 + caught(seldom ? null : often ? mixed[i & 3] : same[i % 3], (i & 1023) - 3).hashCode();
            hash = hash * 31 + sum(seldom || often ? others.get(i % 5) : list);
            hash = hash * 31 + values(seldom ? tree : map);
            int k = i;
            IntUnaryOperator f = seldom ? x -> x - k : x -> x * 3 + 1;
            hash = hash * 31 + applied(often ? Integer::bitCount : f, 5);
            hash = hash * 31 + escaping(seldom ? others.get(0) : list, i % 7);
            hash = hash * 31 + own(i % 9, i % 11);
            if (i % 10 == 0) {
                hash = hash * 31 + changing(seldom ? new LinkedList<>(list) : new ArrayList<>(list), i % 60 / 10);
            }
            if (i % 5000 == 0) {
                System.out.println(i + " " + hash);
            }
        }
        System.out.println(hash + " " + ((Square) same[1]).asked + " " + ((Square) mixed[1]).asked);
    }
}
