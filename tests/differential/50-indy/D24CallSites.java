// covers: what compiled code concludes from targets of call sites, and that it is left when they change
import java.lang.invoke.*;
import java.util.*;

public class D24CallSites {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final Map<String, CallSite> SITES = new HashMap<>();

    public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) throws Exception {
        MethodHandle first = type.parameterType(0) == int.class ? add(0) : MISS;
        CallSite site = name.equals("volatile") ? new VolatileCallSite(first) : new MutableCallSite(first);
        SITES.put(name, site);
        return site;
    }

    static MethodHandle find(String name, MethodType type) {
        try {
            return LOOKUP.findStatic(D24CallSites.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new Error(e);
        }
    }

    static final MethodType INT = MethodType.methodType(int.class, int.class);
    static final MethodHandle MISS = find("miss", MethodType.methodType(int.class, Object.class));
    static final MethodHandle SUM = find("sum", MethodType.methodType(int.class, int.class, int.class));
    static final MethodHandle FIVE = find("five",
            MethodType.methodType(int.class, int.class, long.class, Object.class, double.class, String.class, int.class));

    static int sum(int a, int b) {
        return a + b;
    }

    static int five(int a, long b, Object c, double d, String e, int f) {
        return a + (int) b + c.hashCode() + (int) d + e.length() + f;
    }

    static int twice(int x) {
        return x * 2;
    }

    static MethodHandle add(int n) {
        return MethodHandles.insertArguments(SUM, 0, n);
    }

    // Handles of different classes, with and without arguments in them.
    static MethodHandle variant(int n) {
        switch (n % 6) {
            case 0: return add(n);
            case 1: return find("twice", INT);
            case 2: return MethodHandles.insertArguments(FIVE, 0, n, 7L, Integer.valueOf(n), 2.5, "text");
            case 3: return MethodHandles.identity(int.class);
            case 4: return MethodHandles.dropArguments(MethodHandles.constant(int.class, n), 0, int.class);
            default: return MethodHandles.guardWithTest(find("odd", MethodType.methodType(boolean.class, int.class)), add(n), find("twice", INT));
        }
    }

    static boolean odd(int x) {
        return (x & 1) != 0;
    }

    static int expected(int n, int x) {
        switch (n % 6) {
            case 0: return x + n;
            case 1: return x * 2;
            case 2: return n + 7 + Integer.hashCode(n) + 2 + 4 + x;
            case 3: return x;
            case 4: return n;
            default: return odd(x) ? x + n : x * 2;
        }
    }

    interface Call {
        int apply(int x);
    }

    // More changes than compiled code goes along with.
    static void changes(String name, Call call, int each) {
        call.apply(1);
        CallSite site = SITES.get(name);
        int wrong = 0;
        for (int n = 0; n < 60; n++) {
            site.setTarget(variant(n));
            for (int x = 0; x < each; x++) {
                if (call.apply(x) != expected(n, x)) {
                    wrong++;
                }
            }
        }
        System.out.println(name + " wrong " + wrong);
    }

    // A change while the loop that calls it is compiled, from what it calls.
    static int countdown;

    static int change(int x) {
        if (--countdown == 0) {
            SITES.get("second").setTarget(add(1000));
        }
        return x + 1;
    }

    static void loops() {
        System.out.println(GenSites.loop(10));
        SITES.get("first").setTarget(add(3));
        SITES.get("third").setTarget(add(-1));
        for (int i = 0; i < 10; i++) {
            System.out.println(GenSites.loop(20000));
            countdown = 15000;
            SITES.get("second").setTarget(find("change", INT));
            System.out.println(GenSites.loop(20000));
        }
    }

    // Changes while frames of compiled code wait for the call.
    static int deep(int x) {
        if (x == 0) {
            SITES.get("recursive").setTarget(add(depth));
            return 0;
        }
        int below = GenSites.recursive(x - 1);
        return below + GenSites.recursive(x);
    }

    static int depth;

    static void recursion() {
        GenSites.recursive(0);
        for (depth = 1; depth < 40; depth++) {
            SITES.get("recursive").setTarget(find("deep", INT));
            System.out.print(GenSites.recursive(depth) + (depth % 10 == 0 ? "\n" : " "));
        }
        System.out.println();
    }

    // An inline cache: a chain of guards that a miss makes longer.
    static final MethodHandle IS = find("is", MethodType.methodType(boolean.class, Class.class, Object.class));

    static boolean is(Class<?> c, Object o) {
        return o.getClass() == c;
    }

    static int ofInteger(Object o) {
        return (Integer) o;
    }

    static int ofString(Object o) {
        return ((String) o).length();
    }

    static int ofOther(Object o) {
        return o.getClass().getName().length();
    }

    static int misses;

    static int miss(Object o) throws Throwable {
        misses++;
        CallSite site = SITES.get("cache");
        String name = o instanceof Integer ? "ofInteger" : o instanceof String ? "ofString" : "ofOther";
        MethodHandle hit = find(name, MethodType.methodType(int.class, Object.class));
        site.setTarget(MethodHandles.guardWithTest(MethodHandles.insertArguments(IS, 0, o.getClass()), hit, site.getTarget()));
        return (int) hit.invokeExact(o);
    }

    static void caches() {
        Object[] all = {1, "two", 3.0, 'c', new int[0], List.of(), new Object(), 4L};
        long sum = 0;
        for (int kinds = 1; kinds <= all.length; kinds++) {
            for (int i = 0; i < 20000; i++) {
                sum += GenSites.cache(all[i % kinds]);
            }
        }
        System.out.println("caches " + sum + ", misses " + misses);
    }

    // Who sees that a target was set sees that target.
    static volatile int published;
    static volatile int bad;

    static void threads() throws Exception {
        GenSites.shared(0);
        MutableCallSite site = (MutableCallSite) SITES.get("shared");
        MutableCallSite[] all = {site};
        Thread[] readers = new Thread[3];
        for (int t = 0; t < readers.length; t++) {
            readers[t] = new Thread(() -> {
                int p;
                do {
                    p = published;
                    if (GenSites.shared(0) < p) {
                        bad++;
                    }
                } while (p < 30);
            });
            readers[t].start();
        }
        for (int k = 1; k <= 30; k++) {
            site.setTarget(k % 2 == 0 ? add(k) : MethodHandles.dropArguments(MethodHandles.constant(int.class, k), 0, int.class));
            MutableCallSite.syncAll(all);
            published = k;
            Thread.sleep(5);
        }
        for (Thread t : readers) {
            t.join();
        }
        System.out.println("bad " + bad);
    }

    // Sites that nothing but a handle leads to.
    static final MutableCallSite MINE = new MutableCallSite(add(1));
    static final MethodHandle INVOKER = MINE.dynamicInvoker();
    static final SwitchPoint SWITCH = new SwitchPoint();
    static final MethodHandle SWITCHED = SWITCH.guardWithTest(add(10), add(20));

    static int mine(int n) throws Throwable {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += (int) INVOKER.invokeExact(i) + (int) SWITCHED.invokeExact(i);
        }
        return s;
    }

    static void handles() throws Throwable {
        for (int i = 0; i < 3; i++) {
            System.out.println(mine(20000));
        }
        MINE.setTarget(add(5));
        System.out.println(mine(20000));
        SwitchPoint.invalidateAll(new SwitchPoint[] {SWITCH});
        System.out.println(mine(20000));
        for (MethodHandle wrong : new MethodHandle[] {null, MISS}) {
            try {
                MINE.setTarget(wrong);
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
        System.out.println(mine(20000));
    }

    // A handle that others lock, and ask for its hash, while it becomes a target.
    static volatile MethodHandle offered;

    static void races() throws Exception {
        Thread setter = new Thread(() -> {
            MutableCallSite site = new MutableCallSite(MethodHandles.constant(int.class, -1));
            for (MethodHandle h = null; h != MISS; h = offered) {
                if (h != null) {
                    site.setTarget(h);
                }
            }
        });
        setter.start();
        int wrong = 0;
        for (int n = 0; n < 30000; n++) {
            MethodHandle h = MethodHandles.constant(int.class, n);
            offered = h;
            for (int k = 0; k < n % 100; k++) {
                Thread.onSpinWait();
            }
            int hash = h.hashCode();
            for (int k = 0; k < 50; k++) {
                if (h.hashCode() != hash) {
                    wrong++;
                }
            }
            synchronized (h) {
                if (h.hashCode() != hash || !Thread.holdsLock(h)) {
                    wrong++;
                }
            }
        }
        offered = MISS;
        setter.join();
        System.out.println("races " + wrong);
    }

    // What is taken for a site, is none, and is never reached as one.
    static class Fat {
        int a, b, c = 1, d, e = 1, f = 1, g, h = 1;
    }

    static final Object[] NONE = {new Fat(), "text", new Object()};
    static final Object FAT = NONE[0], TEXT = NONE[1], OBJECT = NONE[2];

    static MethodHandle target(Object o) {
        return ((MutableCallSite) o).getTarget();
    }

    static int fat(Object o) {
        return ((Fat) o).h;
    }

    static void noSites() throws Exception {
        int refused = 0;
        for (int i = 0; i < 100000; i++) {
            try {
                if (target(MINE) == null) {
                    refused = -1;
                }
                if (i % 4 == 1) {
                    target(FAT);
                } else if (i % 4 == 2) {
                    target(TEXT);
                } else if (i % 4 == 3) {
                    refused += fat(OBJECT);
                } else {
                    refused += fat(FAT);
                }
            } catch (ClassCastException e) {
                refused++;
            }
        }
        Fat f = (Fat) FAT;
        System.out.println(refused + " " + f.a + f.b + f.c + f.d + f.e + f.f + f.g + f.h);
    }

    // A clone's target is its own.
    static class Copied extends MutableCallSite implements Cloneable {
        Copied(MethodHandle target) {
            super(target);
        }

        Copied copy() {
            try {
                return (Copied) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new Error(e);
            }
        }
    }

    static final Copied ONE = new Copied(add(1));

    static int one(int n) throws Throwable {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += (int) ONE.getTarget().invokeExact(i);
        }
        return s;
    }

    static class Other {
        static final Copied TWO = ONE.copy();

        static int two(int n) throws Throwable {
            int s = 0;
            for (int i = 0; i < n; i++) {
                s += (int) TWO.getTarget().invokeExact(i);
            }
            return s;
        }
    }

    static void clones() throws Throwable {
        for (int i = 0; i < 20; i++) {
            one(5000);
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 10; j++) {
                Other.two(5000);
                one(5000);
            }
            System.out.println(one(10) + " " + Other.two(10));
            (i % 2 == 0 ? Other.TWO : ONE).setTarget(add(i + 10));
            System.out.println(one(10) + " " + Other.two(10));
        }
    }

    public static void main(String[] args) throws Throwable {
        races();
        noSites();
        clones();
        changes("plain", GenSites::plain, 2000);
        changes("volatile", GenSites::volatileSite, 500);
        loops();
        recursion();
        caches();
        threads();
        handles();
    }
}
