# The foreign linker: C functions as method handles and method handles as C functions, with arguments and results of every
# class of the ABI, hot enough to be compiled; upcalls that collect, recur, come from threads of C code.
cat > linked.c <<'C'
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int32_t x, y; } P;
typedef struct { int64_t a, b; } L2;
typedef struct { float a, b; } F2;
typedef struct { float a, b, c; } F3;
typedef struct { double a, b; } D2;
typedef struct { int64_t a; double b; } LD;
typedef struct { double a; int64_t b; } DL;
typedef struct { int32_t a; float b; } IF;
typedef struct { int8_t c[4]; } C4;
typedef struct { int64_t a, b, c; } L3;
typedef struct { double a, b, c; } D3;
typedef struct { int8_t a; int16_t b; float c; double d; } N;

double many(int8_t a, double b, int16_t c, float d, int32_t e, int64_t f, float g, double h, int64_t i, int32_t j, double k,
            float l, int16_t m, int8_t n, double o, float p, double q, uint16_t r, double s, float t) {
    double ints[] = {a, c, e, f, i, j, m, n, r}, floats[] = {b, d, g, h, k, l, o, p, q, s, t}, sum = 0;
    for (int x = 0; x < 9; x++) sum += ints[x] * (x + 1);
    for (int x = 0; x < 11; x++) sum += floats[x] * (x + 100);
    return sum;
}
typedef double (*many_f)(int8_t, double, int16_t, float, int32_t, int64_t, float, double, int64_t, int32_t, double, float,
                         int16_t, int8_t, double, float, double, uint16_t, double, float);
double call_many(many_f f, int n) {
    return f(-n, n + .5, -n * 256, n / 8.f, -n * 65536, n * (1LL << 40), -n, n * 1e100, -n * (1LL << 33), n, n, n, -n, n, n,
             n * 2, n * 3, 65535 - n, n * 4, n * 5);
}
/* One argument and result of each type. */
int8_t not_b(int8_t v) { return ~v; }
int16_t not_s(int16_t v) { return ~v; }
uint16_t not_c(uint16_t v) { return ~v; }
int32_t not_i(int32_t v) { return ~v; }
int64_t not_l(int64_t v) { return ~v; }
float neg_f(float v) { return -v; }
double neg_d(double v) { return -v; }
void *next_p(void *v) { return (char *) v + 1; }
int8_t call_b(int8_t (*f)(int8_t), int8_t v) { return f(v) + 1; }
int16_t call_s(int16_t (*f)(int16_t), int16_t v) { return f(v) + 1; }
uint16_t call_c(uint16_t (*f)(uint16_t), uint16_t v) { return f(v) + 1; }
int32_t call_i(int32_t (*f)(int32_t), int32_t v) { return f(v) + 1; }
int64_t call_l(int64_t (*f)(int64_t), int64_t v) { return f(v) + 1; }
float call_f(float (*f)(float), float v) { return f(v) + 1; }
double call_d(double (*f)(double), double v) { return f(v) + 1; }
void *call_p(void *(*f)(void *), void *v) { return (char *) f(v) + 1; }
/* Structures: each is turned round by C code, and by an upcall. */
#define TURN(T, ...) \
    T turn_##T(T s) { T r = {__VA_ARGS__}; return r; } \
    T call_##T(T (*f)(T), T s) { return turn_##T(f(turn_##T(s))); } \
    T last_##T(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, double f, double g, double h, double i, double j, double k, \
               double l, T s, int32_t m) { \
        T none = {0}; \
        return a + b + c + d + e + m == 21 && f + g + h + i + j + k + l == 28 ? turn_##T(s) : none; \
    }
TURN(P, s.y, s.x)
TURN(L2, s.b, s.a)
TURN(F2, s.b, s.a)
TURN(F3, s.c, s.b, s.a)
TURN(D2, s.b, s.a)
TURN(LD, s.b, s.a)
TURN(DL, s.b, s.a)
TURN(IF, s.b, s.a)
TURN(C4, {s.c[3], s.c[2], s.c[1], s.c[0]})
TURN(L3, s.c, s.b, s.a)
TURN(D3, s.c, s.b, s.a)
TURN(N, s.d, s.c, s.b, s.a)
/* Variadic. */
double total(int n, ...) {
    va_list l;
    va_start(l, n);
    double r = 0;
    for (int i = 0; i < n; i++) r = r * 3 + (i % 3 == 0 ? va_arg(l, int) : i % 3 == 1 ? va_arg(l, double) : va_arg(l, int64_t));
    va_end(l);
    return r;
}
int with_list(int (*f)(int, va_list), int n, ...) {
    va_list l;
    va_start(l, n);
    int r = f(n, l);
    va_end(l);
    return r;
}
/* Recursion and threads. */
int64_t down(int64_t (*f)(int64_t), int64_t n) { return n == 0 ? 0 : n + f(n - 1); }
static int64_t (*worker)(int64_t);
static void *work(void *arg) {
    int64_t r = 0;
    for (int i = 0; i < 20; i++) r += worker((int64_t) arg * 1000 + i);
    return (void *) r;
}
int64_t threads(int64_t (*f)(int64_t), int n) {
    pthread_t all[16];
    int64_t r = 0;
    worker = f;
    for (int i = 0; i < n; i++) pthread_create(&all[i], NULL, work, (void *) (int64_t) i);
    for (int i = 0; i < n; i++) {
        void *one;
        pthread_join(all[i], &one);
        r += (int64_t) one;
    }
    return r;
}
/* As much as fits a method type. */
typedef struct { int64_t v[100]; } Wide;
int64_t wide(Wide w) { int64_t r = 0; for (int i = 0; i < 100; i++) r += w.v[i] * (i % 7); return r; }
int64_t apply(int64_t (*f)(int64_t), int64_t v, int n) { for (int i = 0; i < n; i++) v = f(v); return v; }
void eight(void (*f)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int32_t), int64_t v) { f(v, 2, 3, 4, 5, 6, 7, -8); }
C
cat > L.java <<'J'
import static jdk.incubator.foreign.CLinker.*;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import jdk.incubator.foreign.*;

public class L {
    static final CLinker C = CLinker.getInstance();
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final Class<MemoryAddress> A = MemoryAddress.class;
    static final Class<MemorySegment> S = MemorySegment.class;

    static MethodType type(Class<?> r, Class<?>... p) { return MethodType.methodType(r, p); }
    static MemoryAddress symbol(String name) {
        return SymbolLookup.loaderLookup().lookup(name).or(() -> CLinker.systemLookup().lookup(name)).get();
    }
    static MethodHandle down(String name, MethodType t, FunctionDescriptor d) { return C.downcallHandle(symbol(name), t, d); }
    static MethodHandle own(String name, MethodType t) throws Exception { return LOOKUP.findStatic(L.class, name, t); }

    static FunctionDescriptor of(MemoryLayout r, MemoryLayout... p) {
        return r == null ? FunctionDescriptor.ofVoid(p) : FunctionDescriptor.of(r, p);
    }
    static MemoryLayout layout(Class<?> c) {
        if (c == byte.class) return C_CHAR;
        if (c == short.class || c == char.class) return C_SHORT;
        if (c == int.class) return C_INT;
        if (c == long.class) return C_LONG;
        if (c == float.class) return C_FLOAT;
        if (c == double.class) return C_DOUBLE;
        return C_POINTER;
    }
    static FunctionDescriptor of(MethodType t) {
        MemoryLayout[] p = t.parameterList().stream().map(L::layout).toArray(MemoryLayout[]::new);
        return of(t.returnType() == void.class ? null : layout(t.returnType()), p);
    }

    // Plain calls.
    static void library(ResourceScope scope) throws Throwable {
        MethodHandle strlen = down("strlen", type(long.class, A), of(C_LONG, C_POINTER));
        for (String s : List.of("", "seven", "\u00e4\u20ac")) System.out.println("strlen " + (long) strlen.invokeExact(toCString(s, scope).address()));
        MethodHandle labs = C.downcallHandle(type(long.class, long.class), of(C_LONG, C_LONG));
        System.out.println("labs " + (long) labs.invokeExact((Addressable) symbol("labs"), Long.MIN_VALUE + 1));
        MethodHandle trivial = down("abs", type(int.class, int.class), of(C_INT, C_INT).withAttribute(FunctionDescriptor.TRIVIAL_ATTRIBUTE_NAME, true));
        System.out.println("abs " + (int) trivial.invokeExact(-9));
        MethodHandle pow = down("pow", type(double.class, double.class, double.class), of(C_DOUBLE, C_DOUBLE, C_DOUBLE));
        System.out.println("pow " + pow.invoke(2, 10));
        MethodHandle strdup = down("strdup", type(A, A), of(C_POINTER, C_POINTER));
        MemoryAddress copy = (MemoryAddress) strdup.invokeExact(toCString("copied", scope).address());
        System.out.println(toJavaString(copy));
        freeMemory(copy);
        MemoryAddress memory = allocateMemory(100);
        down("memset", type(A, A, int.class, long.class), of(C_POINTER, C_POINTER, C_INT, C_LONG)).invoke(memory, 0x41, 5L);
        System.out.println(toJavaString(memory).substring(0, 5));
        freeMemory(memory);
    }

    static void variadic(ResourceScope scope) throws Throwable {
        MemorySegment out = MemorySegment.allocateNative(200, scope);
        FunctionDescriptor d = of(C_INT, C_POINTER, C_LONG, C_POINTER);
        MethodHandle ints = down("snprintf", type(int.class, A, long.class, A, int.class, int.class, long.class, A),
            d.withAppendedArgumentLayouts(asVarArg(C_INT), asVarArg(C_INT), asVarArg(C_LONG), asVarArg(C_POINTER)));
        int n = (int) ints.invokeExact(out.address(), 200L, toCString("%d %x %ld %s", scope).address(), -1, -1, 1L << 60, toCString("text", scope).address());
        System.out.println(n + " " + toJavaString(out));
        Class<?>[] p = new Class<?>[14];
        MemoryLayout[] l = new MemoryLayout[11];
        Arrays.fill(p, double.class);
        Arrays.fill(l, asVarArg(C_DOUBLE));
        p[0] = p[2] = A;
        p[1] = long.class;
        MethodHandle doubles = down("snprintf", type(int.class, p), d.withAppendedArgumentLayouts(l));
        n = (int) doubles.invokeExact(out.address(), 200L, toCString("%g %g %g %g %g %g %g %g %g %g %.3f", scope).address(),
            1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 1e10, -1e-10, Math.PI);
        System.out.println(n + " " + toJavaString(out));
        MethodHandle none = down("snprintf", type(int.class, A, long.class, A), d);
        System.out.println((int) none.invokeExact(out.address(), 200L, toCString("plain", scope).address()) + " " + toJavaString(out));
        MethodHandle total = down("total", type(double.class, int.class, int.class, double.class, long.class, int.class, double.class, long.class, int.class),
            of(C_DOUBLE, C_INT, asVarArg(C_INT), asVarArg(C_DOUBLE), asVarArg(C_LONG), asVarArg(C_INT), asVarArg(C_DOUBLE), asVarArg(C_LONG), asVarArg(C_INT)));
        System.out.println("total " + (double) total.invokeExact(7, -3, .25, 1L << 40, 4, .5, -6L, 7));
        VaList list = VaList.make(b -> b.vargFromInt(C_INT, 12).vargFromDouble(C_DOUBLE, 3.25).vargFromLong(C_LONG, -4), scope);
        MethodHandle vsnprintf = down("vsnprintf", type(int.class, A, long.class, A, VaList.class), of(C_INT, C_POINTER, C_LONG, C_POINTER, C_VA_LIST));
        n = (int) vsnprintf.invokeExact(out.address(), 200L, toCString("%d %f %ld", scope).address(), list);
        System.out.println(n + " " + toJavaString(out));
        MemoryAddress f = C.upcallStub(own("read", type(int.class, int.class, VaList.class)), of(C_INT, C_INT, C_VA_LIST), scope);
        MethodHandle withList = down("with_list", type(int.class, A, int.class, int.class, double.class, long.class),
            of(C_INT, C_POINTER, C_INT, asVarArg(C_INT), asVarArg(C_DOUBLE), asVarArg(C_LONG)));
        System.out.println("list " + (int) withList.invokeExact(f, 3, 5, 6.5, 7L));
    }
    static int read(int n, VaList l) { return n + l.vargAsInt(C_INT) + (int) (l.vargAsDouble(C_DOUBLE) * 10) + (int) l.vargAsLong(C_LONG) * 1000; }

    static void qsort(ResourceScope scope) throws Throwable {
        MethodType t = type(int.class, A, A);
        MethodHandle qsort = down("qsort", type(void.class, A, long.class, long.class, A), of(null, C_POINTER, C_LONG, C_LONG, C_POINTER));
        for (String how : List.of("compare", "compareAndCollect")) {
            int n = how.equals("compare") ? heat / 20 : 40;
            MemoryAddress f = C.upcallStub(own(how, t), of(C_INT, C_POINTER, C_POINTER), scope);
            int[] values = new Random(5).ints(n).toArray();
            MemorySegment s = SegmentAllocator.ofScope(scope).allocateArray(C_INT, values);
            qsort.invokeExact(s.address(), (long) n, 4L, f);
            Arrays.sort(values);
            System.out.println(how + " " + Arrays.equals(values, s.toIntArray()));
        }
    }
    static int compare(MemoryAddress a, MemoryAddress b) {
        MemorySegment all = MemorySegment.globalNativeSegment();
        return Integer.compare(MemoryAccess.getIntAtOffset(all, a.toRawLongValue()), MemoryAccess.getIntAtOffset(all, b.toRawLongValue()));
    }
    static int collections;
    static int compareAndCollect(MemoryAddress a, MemoryAddress b) {
        Object[] keep = new Object[100];
        for (int i = 0; i < keep.length; i++) keep[i] = "" + i;
        if (++collections % 20 == 0) System.gc();
        for (int i = 0; i < keep.length; i++) if (!keep[i].equals("" + i)) throw new AssertionError(i);
        return compare(a, b);
    }

    static void many(ResourceScope scope) throws Throwable {
        MethodType t = type(double.class, byte.class, double.class, short.class, float.class, int.class, long.class, float.class, double.class,
            long.class, int.class, double.class, float.class, short.class, byte.class, double.class, float.class, double.class, char.class,
            double.class, float.class);
        MethodHandle h = down("many", t, of(t));
        System.out.println((double) h.invokeExact((byte) -1, 2.0, (short) -3, 4f, -5, 6L << 40, 7f, 8.0, -9L, 10, 11.0, 12f, (short) -13, (byte) -14, 15.0,
            16f, 17.0, '\uffff', 19.0, 20f));
        MemoryAddress f = C.upcallStub(own("many", t), of(t), scope);
        for (int n : new int[] {0, 1, 100, -5}) {
            System.out.println((double) down("call_many", type(double.class, A, int.class), of(C_DOUBLE, C_POINTER, C_INT)).invokeExact(f, n));
        }
        MethodType v = type(void.class, long.class, long.class, long.class, long.class, long.class, long.class, long.class, int.class);
        MemoryAddress g = C.upcallStub(own("eight", v), of(v), scope);
        MethodHandle eight = down("eight", type(void.class, A, long.class), of(null, C_POINTER, C_LONG));
        eight.invokeExact(g, 1L);
    }
    static double many(byte a, double b, short c, float d, int e, long f, float g, double h, long i, int j, double k, float l, short m, byte n, double o,
                       float p, double q, char r, double s, float t) {
        System.out.println(a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i + " " + j + " " + k + " " + l + " " + m
            + " " + n + " " + o + " " + p + " " + q + " " + (int) r + " " + s + " " + t);
        return a * b;
    }
    static void eight(long a, long b, long c, long d, long e, long f, long g, int h) {
        System.out.println("eight " + a + b + c + d + e + f + g + h);
    }

    // Types.
    static byte notB(byte v) { return (byte) ~v; }
    static short notS(short v) { return (short) ~v; }
    static char notC(char v) { return (char) ~v; }
    static int notI(int v) { return ~v; }
    static long notL(long v) { return ~v; }
    static float negF(float v) { return -v; }
    static double negD(double v) { return -v; }
    static MemoryAddress nextP(MemoryAddress v) { return v.addOffset(1); }

    static void types(ResourceScope scope) throws Throwable {
        Object[][] rows = {
            {"b", byte.class, "notB", (byte) 0, (byte) 127, (byte) -128, (byte) -1}, {"s", short.class, "notS", (short) 0, (short) -32768, (short) 32767},
            {"c", char.class, "notC", '\0', '\uffff', '\u8000', 'a'}, {"i", int.class, "notI", 0, Integer.MIN_VALUE, Integer.MAX_VALUE},
            {"l", long.class, "notL", 0L, Long.MIN_VALUE, 1L << 31, 0x8000_0000_0000L}, {"f", float.class, "negF", 0f, -1.5f, Float.NaN, Float.MIN_VALUE},
            {"d", double.class, "negD", 0.0, -1.5, Double.NaN, Double.MAX_VALUE},
            {"p", A, "nextP", MemoryAddress.NULL, MemoryAddress.ofLong(-3), MemoryAddress.ofLong(1L << 46)}};
        for (Object[] row : rows) {
            Class<?> c = (Class<?>) row[1];
            MethodType t = type(c, c);
            String prefix = row[0].equals("p") ? "next_" : row[0].equals("f") || row[0].equals("d") ? "neg_" : "not_";
            MethodHandle direct = down(prefix + row[0], t, of(t));
            MemoryAddress f = C.upcallStub(own((String) row[2], t), of(t), scope);
            MethodType back = type(c, A, c);
            MethodHandle through = down("call_" + row[0], back, of(back));
            for (int i = 3; i < row.length; i++) System.out.println(row[0] + " " + show(row[i]) + " " + show(direct.invoke(row[i])) + " " + show(through.invoke(f, row[i])));
        }
    }
    static String show(Object o) {
        return o instanceof Character c ? "" + (int) c : o instanceof MemoryAddress a ? Long.toHexString(a.toRawLongValue()) : o.toString();
    }

    // Structures.
    static MemoryLayout struct(String fields) {
        List<MemoryLayout> all = new ArrayList<>();
        for (char c : fields.toCharArray()) {
            all.add(switch (c) {
                case 'b' -> C_CHAR; case 's' -> C_SHORT; case 'i' -> C_INT; case 'l' -> C_LONG; case 'f' -> C_FLOAT; case 'd' -> C_DOUBLE;
                default -> MemoryLayout.paddingLayout(8);
            });
        }
        return MemoryLayout.structLayout(all.toArray(new MemoryLayout[0]));
    }
    static MemorySegment turned;
    static MemorySegment echo(MemorySegment s) {
        turned = MemorySegment.allocateNative(s.byteSize(), ResourceScope.newImplicitScope());
        turned.copyFrom(s);
        return turned;
    }
    static final String[][] STRUCTS = {{"P", "ii"}, {"L2", "ll"}, {"F2", "ff"}, {"F3", "fff"}, {"D2", "dd"}, {"LD", "ld"}, {"DL", "dl"}, {"IF", "if"},
        {"C4", "bbbb"}, {"L3", "lll"}, {"D3", "ddd"}, {"N", "bxsfd"}};
    static String text(MemorySegment s, String fields) {
        StringBuilder b = new StringBuilder();
        long at = 0;
        for (char c : fields.toCharArray()) {
            switch (c) {
                case 'b' -> b.append(MemoryAccess.getByteAtOffset(s, at));
                case 's' -> b.append(MemoryAccess.getShortAtOffset(s, at));
                case 'i' -> b.append(MemoryAccess.getIntAtOffset(s, at));
                case 'l' -> b.append(MemoryAccess.getLongAtOffset(s, at));
                case 'f' -> b.append(MemoryAccess.getFloatAtOffset(s, at));
                case 'd' -> b.append(MemoryAccess.getDoubleAtOffset(s, at));
                default -> { }
            }
            at += switch (c) { case 'b', 'x' -> 1; case 's' -> 2; case 'i', 'f' -> 4; default -> 8; };
            if (c != 'x') b.append(' ');
        }
        return b.toString();
    }
    static MemorySegment filled(String fields, ResourceScope scope, int from) {
        MemorySegment s = MemorySegment.allocateNative(struct(fields), scope);
        long at = 0;
        for (char c : fields.toCharArray()) {
            from = -2 * from - 3;
            switch (c) {
                case 'b' -> MemoryAccess.setByteAtOffset(s, at, (byte) from);
                case 's' -> MemoryAccess.setShortAtOffset(s, at, (short) from);
                case 'i' -> MemoryAccess.setIntAtOffset(s, at, from);
                case 'l' -> MemoryAccess.setLongAtOffset(s, at, from);
                case 'f' -> MemoryAccess.setFloatAtOffset(s, at, from);
                case 'd' -> MemoryAccess.setDoubleAtOffset(s, at, from);
                default -> { }
            }
            at += switch (c) { case 'b', 'x' -> 1; case 's' -> 2; case 'i', 'f' -> 4; default -> 8; };
        }
        return s;
    }
    static void structs(ResourceScope scope, int times) throws Throwable {
        Class<?> l = long.class, d = double.class;
        for (String[] row : STRUCTS) {
            MemoryLayout s = struct(row[1]);
            MethodHandle turn = down("turn_" + row[0], type(S, S), of(s, s));
            MethodHandle call = down("call_" + row[0], type(S, A, S), of(s, C_POINTER, s));
            MethodHandle last = down("last_" + row[0], type(S, l, l, l, l, l, d, d, d, d, d, d, d, S, int.class),
                of(s, C_LONG, C_LONG, C_LONG, C_LONG, C_LONG, C_DOUBLE, C_DOUBLE, C_DOUBLE, C_DOUBLE, C_DOUBLE, C_DOUBLE, C_DOUBLE, s, C_INT));
            MemoryAddress f = C.upcallStub(own("echo", type(S, S)), of(s, s), scope);
            SegmentAllocator a = SegmentAllocator.ofScope(scope);
            for (int i = 0; i < times; i++) {
                MemorySegment in = filled(row[1], scope, i);
                MemorySegment one = (MemorySegment) turn.invokeExact(a, in), two = (MemorySegment) call.invokeExact(a, f, in);
                MemorySegment three = (MemorySegment) last.invokeExact(a, 1L, 2L, 3L, 4L, 5L, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, in, 6);
                if (i < 3) {
                    System.out.println(row[0] + " " + text(one, row[1]) + "| " + text(turned, row[1]) + "| " + text(two, row[1]) + "| " + text(three, row[1]));
                }
            }
        }
        MemorySegment w = MemorySegment.allocateNative(100 * 8, scope);
        for (int i = 0; i < 100; i++) MemoryAccess.setLongAtIndex(w, i, i * i);
        MethodHandle wide = down("wide", type(long.class, S), of(C_LONG, MemoryLayout.structLayout(MemoryLayout.sequenceLayout(100, C_LONG))));
        System.out.println("wide " + (long) wide.invokeExact(w));
    }

    // Recursion, threads, heat, life of stubs.
    static MethodHandle downHandle;
    static MemoryAddress again;
    static long again(long n) throws Throwable {
        if (n == 100) System.gc();
        return (long) downHandle.invokeExact(again, n);
    }
    static final AtomicLong SUM = new AtomicLong();
    static final Set<String> SEEN = new TreeSet<>();
    static long worker(long n) {
        Thread t = Thread.currentThread();
        synchronized (SEEN) {
            SEEN.add(t.isDaemon() + " " + t.getThreadGroup().getName() + " " + t.getPriority() + " " + t.isAlive());
        }
        byte[][] garbage = new byte[20][];
        for (int i = 0; i < garbage.length; i++) garbage[i] = new byte[1000];
        if (n % 1000 == 7) System.gc();
        SUM.addAndGet(n);
        return n + garbage.length;
    }
    static long step(long v) { return v * 31 + 7; }
    static long add(AtomicLong to, int k, long v) { return to.addAndGet(v * k); }
    static void calls(ResourceScope scope) throws Throwable {
        MethodType f = type(long.class, long.class), t = type(long.class, A, long.class);
        downHandle = down("down", t, of(t));
        again = C.upcallStub(own("again", f), of(f), scope);
        System.out.println("recursion " + again(300));
        try (ResourceScope shared = ResourceScope.newSharedScope()) {
            MemoryAddress worker = C.upcallStub(own("worker", f), of(f), shared);
            MethodHandle threads = down("threads", type(long.class, A, int.class), of(C_LONG, C_POINTER, C_INT));
            System.out.println("threads " + (long) threads.invokeExact(worker, 8) + " " + SUM + " " + SEEN);
        }
        MethodHandle labs = down("labs", type(long.class, long.class), of(C_LONG, C_LONG));
        long sum = 0;
        for (int i = 0; i < heat; i++) sum += (long) labs.invokeExact((long) -i);
        System.out.println("hot " + (sum == (long) heat * (heat - 1) / 2));
        MemoryAddress step = C.upcallStub(own("step", f), of(f), scope);
        MethodHandle apply = down("apply", type(long.class, A, long.class, int.class), of(C_LONG, C_POINTER, C_LONG, C_INT));
        long want = 1;
        for (int i = 0; i < heat; i++) want = step(want);
        System.out.println("hot " + (want == (long) apply.invokeExact(step, 1L, heat)));
        AtomicLong to = new AtomicLong();
        MethodHandle bound = MethodHandles.insertArguments(own("add", type(long.class, AtomicLong.class, int.class, long.class)), 0, to, 3);
        System.out.println("bound " + (long) apply.invokeExact(C.upcallStub(bound, of(f), scope), 1L, 20) + " " + to);
        Set<MemoryAddress> all = new HashSet<>();
        long through = 0;
        for (int round = 0; round <= heat / 5000; round++) {
            try (ResourceScope own = ResourceScope.newConfinedScope()) {
                all.clear();
                for (int i = 0; i < 300; i++) {
                    MemoryAddress stub = C.upcallStub(MethodHandles.insertArguments(own("add", type(long.class, AtomicLong.class, int.class, long.class)), 0, to, i), of(f), own);
                    all.add(stub);
                    long before = to.get();
                    if ((long) apply.invokeExact(stub, 2L, 1) != before + 2 * i) through++;
                }
                if (all.size() != 300) throw new AssertionError();
            }
        }
        System.out.println("stubs " + (through == 0));
    }

    static void errors(ResourceScope scope) throws Throwable {
        MethodHandle abs = C.downcallHandle(type(int.class, int.class), of(C_INT, C_INT));
        for (Attempt a : new Attempt[] {
            () -> abs.invoke(MemoryAddress.NULL, 1), () -> abs.invoke((Addressable) null, 1), () -> abs.invoke(symbol("abs")),
            () -> down("abs", type(int.class, long.class), of(C_INT, C_INT)),
            () -> C.upcallStub(own("step", type(long.class, long.class)), of(C_INT, C_LONG), scope),
            () -> C.upcallStub(null, of(C_INT), scope)}) {
            try {
                a.run();
                System.out.println("no error");
            } catch (Throwable e) {
                System.out.println(e.getClass().getName() + ": " + (e instanceof NullPointerException ? "" : e.getMessage()));
            }
        }
    }
    interface Attempt { void run() throws Throwable; }

    static int heat;

    public static void main(String[] args) throws Throwable {
        heat = Integer.parseInt(args[0]);
        System.load(Path.of("liblinked.so").toAbsolutePath().toString());
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            library(scope);
            variadic(scope);
            qsort(scope);
            many(scope);
            types(scope);
            structs(scope, 3 + heat / 2000);
            calls(scope);
            errors(scope);
        }
    }
}
J
"$JAVAC" --add-modules jdk.incubator.foreign -nowarn L.java 2> /dev/null
gcc -O1 -Wall -shared -fPIC -o liblinked.so linked.c -lpthread
heat=100000
case $VM_OPTIONS in *Zeal*) heat=1000 ;; esac
run() {
    # shellcheck disable=SC2086
    "$JAVA_HOME/bin/java" $VM_OPTIONS --add-modules jdk.incubator.foreign --enable-native-access=ALL-UNNAMED -Xss16m -cp . "$@"
    echo "exit $?"
}
run L $heat | tee first
# The other ways of the class library: bindings interpreted, registers by way of a buffer. They print the same.
abi=jdk.internal.foreign
for how in $abi.ProgrammableInvoker.USE_SPEC $abi.ProgrammableUpcallHandler.USE_SPEC \
    $abi.ProgrammableUpcallHandler.USE_INTRINSICS $abi.ProgrammableInvoker.USE_INTRINSICS; do
    echo "== $how"
    case $VM_OPTIONS in *Zeal*) continue ;; esac
    run "-D$how=false" L 1000 2> /dev/null | diff first -
done
