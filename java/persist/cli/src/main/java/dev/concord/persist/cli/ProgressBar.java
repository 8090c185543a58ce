package dev.concord.persist.cli;

import dev.concord.persist.Progress;
import java.io.PrintStream;

/** One line that is drawn again and again on a terminal; silent anywhere else, and for work that is over in a moment. */
final class ProgressBar implements Progress {
    private static final int WIDTH = 30;
    private static final long PATIENCE = 300_000_000;
    private static final long STEP = 100_000_000;
    private final PrintStream err;
    private final boolean terminal;
    private final long begin = System.nanoTime();
    private long drawn = begin + PATIENCE - STEP;
    private boolean shown;

    ProgressBar(PrintStream err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    @Override
    public void at(String what, long done, long total) {
        long now = System.nanoTime();
        if (!terminal || now - drawn < STEP) {
            return;
        }
        drawn = now;
        shown = true;
        err.print("\r" + line(what, done, total, (now - begin) / 1_000_000_000) + "\033[K");
        err.flush();
    }

    static String line(String what, long done, long total, long seconds) {
        if (total <= 0) {
            return String.format("%-8s %,d  %d s", what, done, seconds);
        }
        int filled = (int) (WIDTH * Math.min(done, total) / total);
        return String.format("%-8s [%s%s] %3d %%  %d s", what, "#".repeat(filled), " ".repeat(WIDTH - filled), 100 * Math.min(done, total) / total, seconds);
    }

    /** Takes the line away. */
    void done() {
        if (shown) {
            err.print("\r\033[K");
            err.flush();
            shown = false;
        }
    }
}
