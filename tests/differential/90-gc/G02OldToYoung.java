// skip-mode: zeal move
// vm: own -Xmx64m
// Old objects are made to point to young ones by every kind of store; a missed write barrier loses
// them.
import java.lang.invoke.*;
import java.util.*;
import java.util.concurrent.atomic.*;

public class G02OldToYoung {
    Object f;
    static Object st;
    volatile Object v;
    static final VarHandle VH;

    static {
        try {
            VH = MethodHandles.lookup().findVarHandle(G02OldToYoung.class, "v", Object.class);
        } catch (Exception e) {
            throw new Error(e);
        }
    }

    static int[] mk(int i) {
        return new int[] {i, ~i, i * 3};
    }

    static void ck(Object o, int i, String w) {
        int[] a = (int[]) o;
        if (a == null || a[0] != i || a[1] != ~i || a[2] != i * 3) {
            System.out.println("lost " + w + i);
            throw new Error();
        }
    }

    static Object cloneHolder(Object[] a) {
        return a.clone();
    }

    public static void main(String[] args) throws Exception {
        G02OldToYoung old = new G02OldToYoung();
        Object[] arr = new Object[1000], arr2 = new Object[1000], big = new Object[200000];
        AtomicReference<Object> ar = new AtomicReference<>();
        AtomicReferenceArray<Object> ara = new AtomicReferenceArray<>(100);
        ArrayList<Object> list = new ArrayList<>();
        HashMap<Integer, Object> map = new HashMap<>();
        java.lang.reflect.Field rf = G02OldToYoung.class.getDeclaredField("f");
        G02OldToYoung refl = new G02OldToYoung(), cas = new G02OldToYoung();
        sun.misc.Unsafe u;
        java.lang.reflect.Field uf = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        uf.setAccessible(true);
        u = (sun.misc.Unsafe) uf.get(null);
        G02OldToYoung un = new G02OldToYoung();
        long off = u.objectFieldOffset(rf);
        System.gc();
        System.gc();
        for (int i = 0; i < 4000; i++) {
            old.f = mk(i);
            st = mk(i);
            arr[i % 1000] = mk(i);
            System.arraycopy(arr, 0, arr2, 0, 1000);
            big[i * 50] = mk(i);
            ar.set(mk(i));
            ara.set(i % 100, mk(i));
            rf.set(refl, mk(i));
            Object o = cas.v;
            VH.compareAndSet(cas, o, mk(i));
            u.putObject(un, off, mk(i));
            java.lang.reflect.Array.set(arr, (i + 1) % 1000, mk(i + 7));
            if (i % 10 == 0) {
                list.add(mk(i));
                map.put(i, mk(i));
            }
            for (int k = 0; k < 20; k++) st = new Object[] {st, new byte[500]}[0];
            ck(old.f, i, "field");
            ck(st, i, "static");
            ck(arr[i % 1000], i, "aastore");
            ck(arr2[i % 1000], i, "arraycopy");
            ck(big[i * 50], i, "card");
            ck(ar.get(), i, "atomic");
            ck(ara.get(i % 100), i, "atomic array");
            ck(refl.f, i, "reflection");
            ck(cas.v, i, "cas");
            ck(un.f, i, "unsafe");
            ck(arr[(i + 1) % 1000], i + 7, "Array.set");
            Object[] cl = (Object[]) cloneHolder(arr);
            ck(cl[i % 1000], i, "clone");
        }
        for (int i = 0; i < 400; i++) {
            ck(list.get(i), i * 10, "list");
            ck(map.get(i * 10), i * 10, "map");
        }
        for (int i = 0; i < 4000; i++) ck(big[i * 50], i, "big");
        System.out.println("all kept");
    }
}
