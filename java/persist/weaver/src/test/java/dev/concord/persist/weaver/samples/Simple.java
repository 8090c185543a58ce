package dev.concord.persist.weaver.samples;

import dev.concord.persist.Persistent;

/** The paper's example. */
@Persistent(fa = "non-private")
public class Simple {
    String msg;
    int x;
    transient int y;

    public Simple(int x) {
        this.x = x;
        this.msg = "Hello, NVMM!";
    }

    public void inc() {
        x++;
    }

    public int x() {
        return x;
    }

    public String msg() {
        return msg;
    }

    /** Stores, then throws: nothing of it may stay. */
    public void failAfterStore(boolean inner) {
        x = -1;
        msg = "lost";
        if (inner) {
            inc();
        }
        throw new IllegalStateException("on purpose");
    }

    /** Several ways out, a loop and a handler of its own. */
    public synchronized int branches(int n) {
        try {
            for (int i = 0; i < n; i++) {
                if (i == 3) {
                    x = 30;
                    return x;
                }
                if (i == 100) {
                    throw new IllegalArgumentException();
                }
            }
        } catch (IllegalArgumentException e) {
            x = -2;
        } finally {
            y++;
        }
        return x;
    }
}
