// covers: idiv(arithmetic) aaload(aioobe) checkcast(cce) anewarray(negative) aastore(arraystore)
public class E04RuntimeMessages {
    static void run(int k) throws Throwable {
        Object o = "s";
        int[] a = new int[2];
        Object[] oa = new String[1];
        int zero = 0, neg = -5;
        switch (k) {
            case 0:
                System.out.println(1 / zero);
                break;
            case 1:
                System.out.println(1L % zero);
                break;
            case 2:
                a[2] = 1;
                break;
            case 3:
                System.out.println(a[neg]);
                break;
            case 4:
                oa[0] = 5;
                break;
            case 5:
                System.out.println((Integer) o);
                break;
            case 6:
                System.out.println((int[]) o);
                break;
            case 7:
                System.out.println(((String[]) (Object) a).length);
                break;
            case 8:
                System.out.println(new int[neg].length);
                break;
            case 9:
                System.out.println(new Object[neg].length);
                break;
            case 10:
                System.out.println(new int[2][neg].length);
                break;
            case 11:
                System.arraycopy(a, 0, new long[2], 0, 1);
                break;
            case 12:
                System.arraycopy(a, 0, a, 1, 2);
                break;
            case 13:
                System.arraycopy(a, -1, a, 0, 1);
                break;
            case 14:
                System.arraycopy(a, 0, a, 0, -1);
                break;
            case 15:
                System.arraycopy("x", 0, a, 0, 1);
                break;
            case 16:
                System.arraycopy(a, 0, "x", 0, 1);
                break;
            case 17:
                System.arraycopy(null, 0, a, 0, 1);
                break;
            case 18:
                System.arraycopy(new Object[] {"a", 5}, 0, new String[2], 0, 2);
                break;
            case 19:
                System.arraycopy(a, 0, new Object[2], 0, 1);
                break;
            case 20:
                "abc".charAt(3);
                break;
            case 21:
                "abc".substring(2, 1);
                break;
            case 22:
                Integer.parseInt("12x");
                break;
            case 23:
                new java.util.ArrayList<>(java.util.Collections.nCopies(2, "x")).get(2);
                break;
            case 24:
                java.util.List.of(1).iterator().remove();
                break;
            case 25:
                new Object().wait();
                break;
            case 26:
                new Object().notifyAll();
                break;
            case 27:
                Thread.sleep(-1);
                break;
            case 28:
                java.lang.reflect.Array.newInstance(int.class, -1);
                break;
            case 29:
                java.lang.reflect.Array.get(a, 5);
                break;
            case 30:
                java.lang.reflect.Array.getInt(new long[1], 0);
                break;
            case 31:
                java.lang.reflect.Array.set(a, 0, "s");
                break;
            case 32:
                java.lang.reflect.Array.newInstance(void.class, 1);
                break;
            case 33:
                "x".repeat(-1);
                break;
            case 34:
                System.out.println((Runnable) o);
                break;
            case 35:
                System.arraycopy(a, Integer.MAX_VALUE, a, 0, 1);
                break;
            case 36:
                System.arraycopy(a, 1, a, 0, Integer.MAX_VALUE);
                break;
            case 37:
                System.arraycopy(new int[1][], 0, new Object[1][], 0, 1);
                break;
            case 38:
                System.arraycopy(a, 2, a, 2, 0);
                System.out.println("fine");
                break;
            case 39:
                Class.forName("java.util.List").getDeclaredConstructor().newInstance();
                break;
            case 40:
                Number.class.getDeclaredConstructor().newInstance();
                break;
            case 41:
                new Object().wait(-1);
                break;
            case 42:
                new Object().wait(0, 1000000);
                break;
            default:
                System.out.println("none");
        }
    }

    public static void main(String[] args) {
        for (int k = 0; k < 44; k++) {
            try {
                run(k);
                System.out.println(k + " ok");
            } catch (Throwable e) {
                System.out.println(k + " " + e.getClass().getName() + ": " + e.getMessage());
            }
        }
    }
}
