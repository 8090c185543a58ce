// covers: what compiled code concludes from handles, variables and objects that are constants
import java.lang.invoke.*;
import java.lang.reflect.Field;
import java.util.*;
import java.util.function.*;

public class D21ConstantHandles {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    // What variables are accessed in.
    static class Cell {
        int i = 1;
        long j = 2;
        boolean z;
        byte b = 3;
        short s = 4;
        char c = 'c';
        float f = 1.5f;
        double d = 2.5;
        Object o = "o";
        String text = "t";
        static int si = 7;
        static String st = "st";
    }

    static class SubCell extends Cell {}

    static final VarHandle I = of("i", int.class), J = of("j", long.class), Z = of("z", boolean.class), B = of("b", byte.class),
            S = of("s", short.class), C = of("c", char.class), F = of("f", float.class), D = of("d", double.class),
            O = of("o", Object.class), TEXT = of("text", String.class);
    static final VarHandle SI = ofStatic("si", int.class), ST = ofStatic("st", String.class);
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle STRINGS = MethodHandles.arrayElementVarHandle(String[].class);
    static final VarHandle OBJECTS = MethodHandles.arrayElementVarHandle(Object[].class);
    static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(int[].class, java.nio.ByteOrder.LITTLE_ENDIAN);
    static final VarHandle EXACT = I.withInvokeExactBehavior();

    static VarHandle of(String name, Class<?> type) {
        try {
            return LOOKUP.findVarHandle(Cell.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static VarHandle ofStatic(String name, Class<?> type) {
        try {
            return LOOKUP.findStaticVarHandle(Cell.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        try {
            return LOOKUP.findStatic(D21ConstantHandles.class, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    interface Shape {
        int area(int k);

        default int twice(int k) {
            return 2 * area(k);
        }
    }

    static class Square implements Shape {
        final int side;

        Square(int side) {
            this.side = side;
        }

        public int area(int k) {
            return side * side + k;
        }
    }

    static class Big extends Square {
        Big(int side) {
            super(side);
        }

        public int area(int k) {
            return super.area(k) + 1000;
        }
    }

    static final MethodHandle ADD = find("add", int.class, int.class, int.class), THROWS = find("throwing", int.class, int.class);
    static final MethodHandle AREA, TWICE, SQUARE_AREA, SUPER_AREA, NEW_SQUARE, GET_SIDE, BOUND, NARROW, ODD, GUARD, CATCH, FOLD, LATE;

    static {
        try {
            MethodType ii = MethodType.methodType(int.class, int.class);
            AREA = LOOKUP.findVirtual(Shape.class, "area", ii);
            TWICE = LOOKUP.findVirtual(Shape.class, "twice", ii);
            SQUARE_AREA = LOOKUP.findVirtual(Square.class, "area", ii);
            SUPER_AREA = MethodHandles.privateLookupIn(Big.class, LOOKUP).findSpecial(Square.class, "area", ii, Big.class);
            NEW_SQUARE = LOOKUP.findConstructor(Square.class, MethodType.methodType(void.class, int.class));
            GET_SIDE = LOOKUP.findGetter(Square.class, "side", int.class);
            BOUND = MethodHandles.insertArguments(ADD, 0, 40);
            NARROW = MethodHandles.explicitCastArguments(ADD, MethodType.methodType(byte.class, long.class, char.class));
            ODD = find("odd", boolean.class, int.class);
            GUARD = MethodHandles.guardWithTest(ODD, MethodHandles.insertArguments(ADD, 0, 1), MethodHandles.insertArguments(ADD, 0, -1));
            CATCH = MethodHandles.catchException(THROWS, IllegalStateException.class,
                    MethodHandles.dropArguments(find("length", int.class, Throwable.class), 1, int.class));
            FOLD = MethodHandles.foldArguments(ADD, MethodHandles.insertArguments(ADD, 1, 5));
            LATE = LOOKUP.findStatic(Late.class, "value", MethodType.methodType(int.class));
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static int add(int a, int b) {
        return a + b;
    }

    static boolean odd(int n) {
        return (n & 1) != 0;
    }

    static int length(Throwable t) {
        return t.getMessage().length();
    }

    static int throwing(int n) {
        if (n % 3 == 0) {
            throw new IllegalStateException("n".repeat(n % 7));
        }
        if (n % 1000 == 1) {
            throw new IllegalArgumentException("at " + n);
        }
        return n;
    }

    static class Late {
        static int n = 5;

        static {
            System.out.println("Late is initialized");
        }

        static int value() {
            return n++;
        }
    }

    static long variables(Cell c, int k) {
        long sum = (int) I.getAndAdd(c, k);
        sum += (long) J.getAndAdd(c, 3L) + ((boolean) Z.compareAndSet(c, (k & 1) == 0, (k & 1) != 0) ? 1 : 0);
        sum += (byte) B.getAndAdd(c, (byte) 7) + (short) S.getAndBitwiseXor(c, (short) k) + (char) C.getAndSet(c, (char) k);
        F.setVolatile(c, (float) F.getVolatile(c) + 0.25f);
        D.setRelease(c, (double) D.getAcquire(c) + 0.5);
        sum += (long) (float) F.getOpaque(c) + (long) (double) D.get(c);
        Object old = O.getAndSet(c, (Object) k);
        sum += old.hashCode() & 0xff;
        sum += ((String) TEXT.getVolatile(c)).length();
        if (TEXT.compareAndSet(c, "t", "tt")) {
            sum += 1000;
        }
        sum += (int) SI.getAndAdd(1) + ((String) ST.get()).length();
        return sum;
    }

    static long elements(int[] ints, String[] strings, byte[] bytes, int k) {
        long sum = (int) INTS.getAndAdd(ints, k & 7, k);
        STRINGS.set(strings, k & 3, "s" + (k & 15));
        sum += ((String) STRINGS.getAcquire(strings, k & 3)).length();
        sum += (int) LITTLE.get(bytes, k & 7);
        LITTLE.set(bytes, k & 7, k);
        return sum;
    }

    static int handles(Shape shape, Square square, Big big, int k) throws Throwable {
        int sum = (int) ADD.invokeExact(k, 1) + (int) AREA.invokeExact(shape, k) + (int) TWICE.invokeExact(shape, k);
        sum += (int) SQUARE_AREA.invokeExact(square, k) + (int) SUPER_AREA.invokeExact(big, k);
        Square made = (Square) NEW_SQUARE.invokeExact(k & 15);
        sum += (int) GET_SIDE.invokeExact(made) + (int) BOUND.invokeExact(k) + (byte) NARROW.invokeExact((long) k << 33 | k, 'x');
        sum += ((boolean) ODD.invokeExact(k) ? 3 : 4) + (int) GUARD.invokeExact(k) + (int) FOLD.invokeExact(k);
        // Converted on the way.
        Object boxed = BOUND.invoke((Integer) k);
        sum += (Integer) boxed + (int) ADD.invoke((short) k, (byte) 1);
        return sum;
    }

    static int caught(int k) {
        try {
            return (int) CATCH.invokeExact(k);
        } catch (IllegalArgumentException e) {
            return e.getMessage().length() * 100;
        } catch (Throwable t) {
            throw new Error(t);
        }
    }

    // Sites whose targets change.
    static final MutableCallSite MUTABLE = new MutableCallSite(MethodType.methodType(int.class, int.class));
    static final VolatileCallSite VOLATILE = new VolatileCallSite(MethodHandles.insertArguments(ADD, 0, 0));
    static final MethodHandle THROUGH_MUTABLE = MUTABLE.dynamicInvoker(), THROUGH_VOLATILE = VOLATILE.dynamicInvoker();
    static final SwitchPoint SWITCH = new SwitchPoint();
    static final MethodHandle SWITCHED = SWITCH.guardWithTest(MethodHandles.insertArguments(ADD, 0, 1), MethodHandles.insertArguments(ADD, 0, 2));

    static int sites(int k) throws Throwable {
        return (int) THROUGH_MUTABLE.invokeExact(k) + (int) THROUGH_VOLATILE.invokeExact(k) + (int) SWITCHED.invokeExact(k);
    }

    // Constants that are no handles: finals of ordinary classes may be written by reflection.
    static class Holder {
        final int number;
        final String name;

        Holder(int number, String name) {
            this.number = number;
            this.name = name;
        }

        int number() {
            return number;
        }

        public String toString() {
            return name + number;
        }
    }

    static class Other extends Holder {
        Other() {
            super(50, "other");
        }

        int number() {
            return -1;
        }
    }

    record Point(int x, Holder h) {}

    static final Holder HOLDER = new Holder(Integer.parseInt("11"), "h");
    static final Holder OTHER = new Other();
    static final Point POINT = new Point(21, HOLDER);
    static final Comparator<String> ORDER = Comparator.comparing(String::length);
    static final Map<String, Integer> MAP = new TreeMap<>(Map.of("a", 1, "b", 2));
    static final Class<?> TYPE = Holder.class, PRIMITIVE = int.class;
    static final int[] NUMBERS = {4, 5, 6};

    static int objects(Object o, int k) {
        int sum = HOLDER.number + HOLDER.number() + OTHER.number() + POINT.x() + POINT.h().number + HOLDER.toString().length();
        sum += ORDER.compare("ab", "abc") + MAP.get("b") + NUMBERS[1] + NUMBERS.length;
        sum += (TYPE.isInstance(o) ? 1 : 0) + (PRIMITIVE.isInstance(o) ? 1 : 0) + (HOLDER == POINT.h() ? 1 : 0) + (HOLDER == OTHER ? 1 : 0);
        sum += (OTHER instanceof Other ? 1 : 0) + ((Object) HOLDER instanceof Other ? 1 : 0);
        NUMBERS[1] = k & 3;
        return sum;
    }

    static String problem(Runnable r) {
        try {
            r.run();
            return "none";
        } catch (Throwable t) {
            String message = String.valueOf(t.getMessage());
            return t.getClass().getName() + ": " + message.replaceAll("0x[0-9a-f]+", "0x");
        }
    }

    static void problems(Cell c, Object odd, int n) {
        Runnable[] all = {
            () -> I.set((Cell) null, 1),
            () -> TEXT.set(c, odd),
            () -> {
                Object o = odd;
                I.set(o, 1);
            },
            () -> I.set(c, "text"),
            () -> EXACT.set(c, (short) 1),
            () -> EXACT.set(c, 5),
            () -> INTS.set(new int[3], n, 1),
            () -> STRINGS.set(new Object[] {"x"}, 0, "y"),
            () -> OBJECTS.set((Object[]) new Integer[1], 0, (Object) "y"),
            () -> LITTLE.set(new byte[5], n, 1),
            () -> {
                Z.getAndAdd(c, true);
            },
            () -> call(() -> (int) AREA.invokeExact((Shape) null, 1)),
            () -> call(() -> (int) ADD.invokeExact(1)),
            () -> call(() -> (int) ADD.invoke(1, "2")),
            () -> call(() -> (int) SQUARE_AREA.invoke(odd, 1)),
            () -> call(() -> (int) GET_SIDE.invokeExact((Square) null)),
        };
        StringBuilder b = new StringBuilder();
        for (Runnable r : all) {
            b.append(problem(r)).append('\n');
        }
        String text = b.toString();
        if (SEEN.add(text)) {
            System.out.print(text);
        }
    }

    static final Set<String> SEEN = new HashSet<>();

    interface Call {
        int run() throws Throwable;
    }

    static void call(Call c) {
        try {
            c.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable t) {
            throw new Error(t);
        }
    }

    // Frames of handles are hidden, those of targets are not.
    static final MethodHandle TRACE = MethodHandles.insertArguments(find("trace", String.class, int.class, int.class), 0, 1);

    static String trace(int one, int k) {
        if (k % 500 != 499) {
            return "";
        }
        StringBuilder b = new StringBuilder();
        StackWalker.getInstance().forEach(f -> b.append(f.getMethodName()).append(' '));
        for (StackTraceElement e : new Throwable().getStackTrace()) {
            b.append(e.getMethodName()).append(' ');
        }
        return b.toString();
    }

    static String callTrace(int k) throws Throwable {
        return (String) TRACE.invokeExact(k);
    }

    static String concatenate(String s, int i, long j, char c, Object o, double d) {
        return "<" + s + i + '|' + j + c + o + d + "é" + (i & 1) + ">";
    }

    static int lambdas(int k) {
        IntSupplier a = () -> k + 1;
        IntUnaryOperator b = x -> x * 3;
        Supplier<Supplier<Integer>> c = () -> () -> k;
        Function<String, Integer> d = String::length;
        Function<Integer, int[]> e = int[]::new;
        return a.getAsInt() + b.applyAsInt(k) + c.get().get() + d.apply("four") + e.apply(k & 7).length;
    }

    public static void main(String[] args) throws Throwable {
        MUTABLE.setTarget(MethodHandles.insertArguments(ADD, 0, 100));
        Cell c = new SubCell();
        int[] ints = new int[8];
        String[] strings = new String[4];
        byte[] bytes = new byte[16];
        Shape[] shapes = {new Square(2), new Big(3), k -> k * 7};
        long sum = 0;
        StringBuilder traces = new StringBuilder();
        for (int k = 0; k < 6000; k++) {
            sum = sum * 31 + variables(c, k) + elements(ints, strings, bytes, k);
            sum = sum * 31 + handles(shapes[k < 5000 ? 0 : k % 3], k < 4000 ? new Square(k & 7) : new Big(k & 3), new Big(5), k);
            sum = sum * 31 + caught(k) + sites(k) + objects(k % 5 == 0 ? HOLDER : "text", k) + lambdas(k);
            sum = sum * 31 + concatenate("s" + (k & 3), k, (long) k << 20, (char) ('a' + k % 26), k % 2 == 0 ? null : k, k / 8.0).hashCode();
            traces.append(callTrace(k));
            switch (k) {
                case 3000 -> MUTABLE.setTarget(MethodHandles.insertArguments(ADD, 0, 200));
                case 3500 -> VOLATILE.setTarget(MethodHandles.insertArguments(ADD, 0, -5));
                case 4000 -> SwitchPoint.invalidateAll(new SwitchPoint[] {SWITCH});
                case 4500 -> {
                    Field f = Holder.class.getDeclaredField("number");
                    f.setAccessible(true);
                    f.setInt(HOLDER, 12);
                    sum += HOLDER.number + HOLDER.number();
                    System.out.println(HOLDER + " " + POINT.h().number + " " + problem(() -> setRecord()));
                }
                default -> {
                    if (k % 1000 == 0) {
                        System.out.println(k + " " + sum);
                    }
                }
            }
            if (k == 2000) {
                sum += (int) LATE.invokeExact();
            } else if (k > 2000) {
                sum += (int) LATE.invokeExact();
            }
            if (k > 100 && k % 20 == 0) {
                problems(c, k % 40 == 0 ? "wrong" : (Object) k, 9);
            }
        }
        System.out.println(sum + " " + traces);
        System.out.println(c.i + " " + c.j + " " + c.z + " " + c.b + " " + c.s + " " + (int) c.c + " " + c.f + " " + c.d + " " + c.o + " " + c.text + " " + Cell.si);
        System.out.println(Arrays.toString(ints) + Arrays.toString(strings) + Arrays.toString(bytes));
    }

    static void setRecord() {
        try {
            Field f = Point.class.getDeclaredField("x");
            f.setAccessible(true);
            f.setInt(POINT, 12);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e.toString());
        }
    }
}
