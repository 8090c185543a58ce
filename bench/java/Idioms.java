import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What all programs do with strings, collections, and between threads: {@code Idioms MILLISECONDS} prints nanoseconds of thread CPU time for one operation,
 * and a check.
 */
public class Idioms {
    static final String DIGITS = "0123456789", TEXT = "Hello World, THIS is a Test Of LowerCase", FOREIGN = "h\u00e9llo w\u00f6rld \u4f60\u597d \u0434\u0430 and plain text";
    static final byte[] ENCODED = FOREIGN.getBytes(StandardCharsets.UTF_8);
    static final Pattern PATTERN = Pattern.compile("L[a-z]+r");
    static final ArrayList<Integer> LIST = new ArrayList<>();
    static final ArrayDeque<Integer> DEQUE = new ArrayDeque<>();
    static final LinkedList<Integer> LINKED = new LinkedList<>();
    static final HashSet<Integer> SET = new HashSet<>();
    static final int[] NUMBERS = new int[100];
    static final Map<String, Integer> HASH = new HashMap<>(), TREE = new TreeMap<>();
    static final String[] KEYS = new String[100];
    static final AtomicReference<String> REFERENCE = new AtomicReference<>(DIGITS);
    static final ConcurrentLinkedQueue<String> QUEUE = new ConcurrentLinkedQueue<>();
    static final Owner OWNER = new Owner();
    static final AtomicIntegerFieldUpdater<Owner> COUNT = AtomicIntegerFieldUpdater.newUpdater(Owner.class, "count");
    static final VarHandle FIELD;
    static final MethodHandle SIZE;
    static final BigInteger FACTOR = new BigInteger(DIGITS.repeat(10));

    static class Owner {
        volatile int count;
        int field, other;
    }

    static {
        try {
            FIELD = MethodHandles.lookup().findVarHandle(Owner.class, "field", int.class);
            SIZE = MethodHandles.lookup().findVirtual(ArrayList.class, "size", MethodType.methodType(int.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        for (int i = 0; i < 100; i++) {
            LIST.add(i);
            DEQUE.add(i);
            LINKED.add(i);
            SET.add(i);
            NUMBERS[i] = i;
            KEYS[i] = "key" + i;
            HASH.put(KEYS[i], i);
            TREE.put(KEYS[i], i);
        }
    }

    static int iterate(List<Integer> list) {
        int sum = 0;
        for (int i : list) {
            sum += i;
        }
        return sum;
    }

    // By methods of their own: each sees one class only.
    static int iterate(ArrayDeque<Integer> deque) {
        int sum = 0;
        for (int i : deque) {
            sum += i;
        }
        return sum;
    }

    static int iterate(LinkedList<Integer> list) {
        int sum = 0;
        for (int i : list) {
            sum += i;
        }
        return sum;
    }

    static int iterate(HashSet<Integer> set) {
        int sum = 0;
        for (int i : set) {
            sum += i;
        }
        return sum;
    }

    // The method's own object is all that the loop writes.
    static int own(int[] all) {
        Owner o = new Owner();
        for (int i = 0; i < all.length; i++) {
            o.field += all[i];
            o.other ^= o.field;
        }
        return o.field + o.other;
    }

    static int lookUp(Map<String, Integer> map) {
        int sum = 0;
        for (String k : KEYS) {
            sum += map.get(k);
        }
        return sum;
    }

    static int entries(Map<String, Integer> map) {
        int sum = 0;
        for (Map.Entry<String, Integer> e : map.entrySet()) {
            sum += e.getKey().length() + e.getValue();
        }
        return sum;
    }

    static int characters(String s) {
        int h = 0;
        for (int i = 0; i < s.length(); i++) {
            h += s.charAt(i);
        }
        return h;
    }

    static int append(int times, boolean numbers) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < times; i++) {
            if (numbers) {
                b.append(i * 12345);
            } else {
                b.append(DIGITS);
            }
        }
        return b.toString().length();
    }

    static int sorted() {
        Integer[] all = new Integer[100];
        for (int i = 0; i < all.length; i++) {
            all[i] = i * 7919 % 101;
        }
        Arrays.sort(all, (a, b) -> b - a);
        return all[5];
    }

    static int supply(int n) {
        IntSupplier more = () -> n + 1;
        return more.getAsInt();
    }

    static int replace(AtomicReference<String> r) {
        String old = r.get();
        return r.compareAndSet(old, old == DIGITS ? TEXT : DIGITS) ? 1 : 0;
    }

    static int pass(ConcurrentLinkedQueue<String> q) {
        q.offer(TEXT);
        return q.poll().length();
    }

    static void measure(String name, long millis, CpuTime.Work what) throws Throwable {
        int check = what.run();
        // The first rounds are for the compilers.
        System.out.printf("%s %.2f %d%n", name, CpuTime.best(20, millis * 100_000, 200, what), check);
    }

    public static void main(String[] args) throws Throwable {
        long m = Long.parseLong(args[0]);
        measure("concatenate", m, () -> (KEYS[7] + LIST.size() + TEXT).length());
        measure("append-strings", m, () -> append(20, false));
        measure("append-ints", m, () -> append(20, true));
        measure("format", m, () -> String.format("%d %s %5.2f", 17, DIGITS, 1.5).length());
        measure("lower-case", m, () -> TEXT.toLowerCase().length());
        measure("replace-char", m, () -> TEXT.replace('o', '0').length());
        measure("replace-text", m, () -> TEXT.replace("is", "was").length());
        measure("split", m, () -> "a,b,c,d,e,f".split(",").length);
        measure("substring", m, () -> TEXT.substring(5, 15).length());
        measure("index-of", m, () -> TEXT.indexOf("Lower"));
        measure("characters", m, () -> characters(TEXT));
        measure("characters-utf16", m, () -> characters(FOREIGN));
        measure("encode-utf8", m, () -> FOREIGN.getBytes(StandardCharsets.UTF_8).length);
        measure("decode-utf8", m, () -> new String(ENCODED, StandardCharsets.UTF_8).length());
        measure("parse-int", m, () -> Integer.parseInt("123456"));
        measure("print-double", m, () -> Double.toString(1.1 * 17).length());
        measure("regex-find", m, () -> PATTERN.matcher(TEXT).find() ? 1 : 0);
        measure("list-iterate", m, () -> iterate(LIST));
        measure("deque-iterate", m, () -> iterate(DEQUE));
        measure("linked-iterate", m, () -> iterate(LINKED));
        measure("set-iterate", m, () -> iterate(SET));
        measure("own-object", m, () -> own(NUMBERS));
        measure("list-stream", m, () -> LIST.stream().mapToInt(i -> i).filter(i -> i % 2 == 0).sum());
        measure("list-collect", m, () -> LIST.stream().map(i -> i + 1).collect(Collectors.toList()).size());
        measure("list-sort", m, Idioms::sorted);
        measure("hash-look-up", m, () -> lookUp(HASH));
        measure("hash-entries", m, () -> entries(HASH));
        measure("tree-look-up", m, () -> lookUp(TREE));
        measure("tree-entries", m, () -> entries(TREE));
        measure("lambda", m, () -> supply(LIST.size()));
        measure("handle", m, () -> (int) SIZE.invokeExact(LIST));
        measure("atomic-reference", m, () -> replace(REFERENCE));
        measure("atomic-updater", m, () -> COUNT.incrementAndGet(OWNER));
        measure("variable-handle", m, () -> (int) FIELD.getAndAdd(OWNER, 1));
        measure("queue", m, () -> pass(QUEUE));
        measure("future", m, () -> CompletableFuture.completedFuture(LIST).thenApply(List::size).join());
        measure("big-multiply", m, () -> FACTOR.multiply(FACTOR).signum());
    }
}
