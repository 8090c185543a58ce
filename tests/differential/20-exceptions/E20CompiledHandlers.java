// covers: athrow(caught,rethrown)
import java.util.ArrayList;
import java.util.List;

/**
 * Exceptions that compiled methods catch: by class, by several rows, around inlined calls, in loops,
 * in synchronized methods and blocks, with locals of all types that change inside the try.
 */
public class E20CompiledHandlers {
    static class First extends RuntimeException {
        final int value;

        First(int value) {
            super("first " + value);
            this.value = value;
        }
    }

    static final class Second extends First {
        Second(int value) {
            super(value);
        }
    }

    static final class Checked extends Exception {}

    static int raise(int kind, int v) throws Checked {
        switch (kind) {
            case 1:
                throw new First(v);
            case 2:
                throw new Second(v);
            case 3:
                throw new Checked();
            case 4:
                return v / (v - v);
            case 5:
                return new int[3][v & 1].length + new int[v & 3][(v & 3) - 3].length;
            case 6:
                return ((String) null).length();
            case 7:
                return ((Integer) (Object) "x");
            default:
                return v;
        }
    }

    static int small(int kind, int v) throws Checked {
        return raise(kind, v) + 1;
    }

    /** Small enough to be inlined, with a handler of its own. */
    static int guarded(int kind, int v) {
        try {
            return small(kind, v);
        } catch (Checked e) {
            return -7;
        }
    }

    static long locals(int kind, int v) {
        int i = v;
        long l = v * 3L;
        float f = v;
        double d = v / 2.0;
        Object o = "before";
        try {
            i += 1;
            l += small(0, v);
            f *= 2;
            o = "during";
            d += small(kind, v);
            o = "after";
            i += 100;
        } catch (Second e) {
            i += e.value;
        } catch (First e) {
            i -= e.value;
        } catch (ArithmeticException | NullPointerException e) {
            l = -l;
        } catch (Exception e) {
            l += 5;
            f += o.hashCode();
        } finally {
            d += 1;
        }
        return i + l * 7 + (long) f * 11 + (long) d * 13 + o.hashCode();
    }

    static long loop(int n) {
        long sum = 0;
        List<String> log = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            String tag = "t" + (i & 3);
            try {
                sum += guarded(i % 8, i);
                if ((i & 7) == 5) {
                    continue;
                }
                sum += raise(i % 5, i);
            } catch (First e) {
                sum += e.value + tag.length();
                continue;
            } catch (Checked e) {
                tag = tag + "c";
            } catch (RuntimeException e) {
                sum += e.getClass().getName().length();
            } finally {
                sum ^= tag.hashCode();
            }
            if (log.size() < 3) {
                log.add(tag);
            }
        }
        return sum + log.hashCode();
    }

    static int nested(int kind, int v) {
        int at = 0;
        try {
            at = 1;
            try {
                at = 2;
                at += raise(kind, v);
            } catch (Second e) {
                at += 10;
                at += raise(e.value & 3, 5);
            } finally {
                at += 100;
            }
        } catch (First e) {
            at += 1000 + e.value;
        } catch (Checked e) {
            at += 2000;
        } catch (Throwable e) {
            at += 4000;
        }
        return at;
    }

    private int depth;

    synchronized int locked(int kind, int v) throws Checked {
        depth++;
        try {
            synchronized (E20CompiledHandlers.class) {
                return raise(kind, v);
            }
        } catch (First e) {
            synchronized (this) {
                return e.value;
            }
        } finally {
            depth--;
        }
    }

    static int deep(int n) {
        int[] big = new int[2];
        big[0] = n;
        return deep(n + 1) + big[0];
    }

    static int overflow() {
        try {
            return deep(0);
        } catch (StackOverflowError e) {
            return 3;
        }
    }

    /** Thrown and caught in one body. */
    static int self(int v) {
        int odd = 0;
        for (int i = 0; i < 4; i++) {
            try {
                if ((v + i & 1) == 0) {
                    throw new Second(i);
                }
                if (i == 3) {
                    throw new IllegalStateException("i " + i);
                }
            } catch (First e) {
                odd += e.value;
            } catch (IllegalStateException e) {
                odd += 50 + e.getMessage().length();
            }
        }
        return odd;
    }

    static int traced(int v) {
        try {
            return small(1, v);
        } catch (First e) {
            StackTraceElement[] t = e.getStackTrace();
            return t[0].getLineNumber() * 1000 + t[1].getLineNumber() + t[2].getMethodName().length();
        } catch (Checked e) {
            return -1;
        }
    }

    public static void main(String[] args) throws Exception {
        E20CompiledHandlers here = new E20CompiledHandlers();
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            int kind = i % 9;
            if (kind == 5 || kind == 7) {
                kind = i % 3;
            }
            sum = sum * 31 + locals(kind, i) + nested(kind, i) + self(i) + traced(i);
            try {
                sum += here.locked(kind, i);
            } catch (Checked | RuntimeException e) {
                sum += e.getClass().getName().length();
            }
            if (Thread.holdsLock(here) || Thread.holdsLock(E20CompiledHandlers.class) || here.depth != 0) {
                System.out.println("a lock was left");
                return;
            }
            if (i % 500 == 499) {
                System.out.println(i + " " + sum + " " + loop(300) + " " + overflow());
            }
        }
        System.out.println(sum + " " + loop(20000));
        for (int kind = 0; kind < 9; kind++) {
            System.out.println(kind + " " + locals(kind, 40) + " " + nested(kind, 40));
        }
    }
}
