# A deep stack of calls translated in place is rebuilt for the interpreter in what is kept for a StackOverflowError, which
# must still find room there.
# timeout: 120
# skip-mode: zeal move int
locals() { for k in $(seq 0 $(($2 - 1))); do printf 'long %s%d = n + %d; ' "$1" "$k" "$k"; done; }
sum() { for k in $(seq 0 $(($2 - 1))); do printf ' + %s%d' "$1" "$k"; done; }
{
    cat <<'J'
public class Deep {
    static int caught;
    static class C {
        static int x = 1;
        static { try { down(0); } catch (StackOverflowError e) { System.out.println("overflow at the top"); } }
    }
J
    echo "    static long down(int n) { $(locals w 200) long r; try { r = down(n + 1); }"
    echo "        catch (StackOverflowError e) { if (caught++ == 0) r = m0(n, true); else throw e; } return r$(sum w 200); }"
    for i in $(seq 0 259); do
        wide=$((i < 60 ? 60 : 1))
        next=$((i < 259 ? 1 : 0))
        call=$([ $next = 1 ] && echo "m$((i + 1))(n, touch)" || echo 0)
        echo "    static long m$i(int n, boolean touch) { $(locals v $wide) long r = touch ? C.x : 0; r += $call; return r$(sum v $wide); }"
    done
    cat <<'J'
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(null, () -> {
            for (int j = 0; j < 20; j++) {
                for (int i = 0; i < 1000; i++) m0(i, false);
                try { Thread.sleep(50); } catch (InterruptedException e) { throw new AssertionError(e); }
            }
            System.out.println(C.x);
        }, "t", 512 << 10);
        t.start();
        t.join();
        System.out.println("done");
    }
}
J
} > Deep.java
"$JAVAC" -d . Deep.java
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Deep 2>&1
