# Contended fields lie far from all others but those of their group, fields of Contended classes far from those of
# other classes; values, subclasses, collections and copies see nothing of it.
cat > Main.java <<'J'
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.concurrent.ForkJoinPool;
import jdk.internal.vm.annotation.Contended;
import sun.misc.Unsafe;

public class Main {
    static Unsafe u;

    static class Plain {
        int a;
        Object b;
        long c;
    }
    static class One {
        int a;
        @Contended Object b;
        long c;
        byte d;
    }
    static class Groups implements Cloneable {
        @Contended("x") int a = 1;
        @Contended("y") Object b = "b";
        @Contended("x") long c = 3;
        @Contended byte d = 4;
        @Contended byte e = 5;
        @Contended("y") short f = 6;
        Object g = "g";
        @Contended static int s;
        static int t;
        Groups copy() throws CloneNotSupportedException {
            return (Groups) clone();
        }
        @Override public String toString() {
            return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g;
        }
    }
    static class Below extends Groups {
        Object h = "h";
        @Contended("x") Object i = "i";
        @Override public String toString() {
            return super.toString() + " " + h + " " + i;
        }
    }
    @Contended static class Whole {
        int a;
        Object b;
        @Contended long c;
    }
    @Contended static class Empty {
    }
    static class BelowWhole extends Whole {
        int d;
    }
    static class BelowEmpty extends Empty {
        int a;
        int b;
    }

    static long size(Class<?> t) {
        return t == long.class || t == double.class ? 8 : t == byte.class || t == boolean.class ? 1 : t == short.class || t == char.class ? 2 : 4;
    }
    /** Which of two fields, of the same class or one and its superclass, have a cache line's worth between them. */
    static void distances(Class<?> c, String... names) throws Exception {
        System.out.print(c.getName() + ":");
        Field[] fields = new Field[names.length];
        for (int i = 0; i < names.length; i++) {
            Class<?> k = c;
            while (fields[i] == null)
                try {
                    fields[i] = k.getDeclaredField(names[i]);
                } catch (NoSuchFieldException e) {
                    k = k.getSuperclass();
                }
            if (Modifier.isStatic(fields[i].getModifiers())) throw new Error();
        }
        long first = Long.MAX_VALUE;
        for (Field f : fields) first = Math.min(first, u.objectFieldOffset(f));
        for (int i = 0; i < fields.length; i++)
            for (int j = i + 1; j < fields.length; j++) {
                long a = u.objectFieldOffset(fields[i]), b = u.objectFieldOffset(fields[j]);
                long between = a < b ? b - a - size(fields[i].getType()) : a - b - size(fields[j].getType());
                System.out.print(" " + names[i] + names[j] + (between >= 128 ? " apart" : ""));
            }
        System.out.println(first >= 128 ? ", far from the header" : "");
    }

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        u = (Unsafe) f.get(null);
        distances(Plain.class, "a", "b", "c");
        distances(One.class, "a", "b", "c", "d");
        distances(Groups.class, "a", "b", "c", "d", "e", "f", "g");
        distances(Below.class, "a", "b", "g", "h", "i");
        distances(Whole.class, "a", "b", "c");
        distances(BelowWhole.class, "a", "b", "c", "d");
        distances(BelowEmpty.class, "a", "b");
        distances(Thread.class, "name", "threadLocalRandomSeed", "threadLocalRandomProbe", "threadLocalRandomSecondarySeed");
        distances(ForkJoinPool.class, "ctl", "mode");
        long s = u.staticFieldOffset(Groups.class.getDeclaredField("s")), t = u.staticFieldOffset(Groups.class.getDeclaredField("t"));
        System.out.println(Math.abs(s - t) < 128);
        Object[] many = new Object[20_000];
        for (int i = 0; i < 100_000; i++) {
            Groups g = i % 3 == 0 ? new Groups() : new Below();
            g.a = i;
            g.b = Integer.valueOf(i);
            if (i % 5 == 0) g = g.copy();
            many[i % many.length] = g;
        }
        System.gc();
        for (int i = 0; i < many.length; i++) {
            Groups g = (Groups) many[i];
            if (g.a != (Integer) g.b || g.c != 3 || g.d != 4 || g.e != 5 || g.f != 6) throw new Error(g.toString());
        }
        System.out.println(many[19_999] + "\n" + many[19_998]);
    }
}
J
EXPORTS="--add-exports java.base/jdk.internal.vm.annotation=ALL-UNNAMED"
"$JAVAC" $EXPORTS Main.java 2> /dev/null
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:-RestrictContended $EXPORTS -cp . Main
echo "by default"
"$JAVA_HOME/bin/java" $VM_OPTIONS $EXPORTS -cp . Main
echo "narrow"
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:-RestrictContended -XX:ContendedPaddingWidth=8 $EXPORTS -cp . Main | grep "^Main.* apart"
echo "off"
"$JAVA_HOME/bin/java" $VM_OPTIONS -XX:-RestrictContended -XX:-EnableContended $EXPORTS -cp . Main | grep "^Main.* apart"
true
