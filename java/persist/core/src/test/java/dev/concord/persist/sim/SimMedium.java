package dev.concord.persist.sim;

import dev.concord.persist.core.Medium;
import dev.concord.persist.core.Memory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file on a simulated disk that is also a simulated persistent memory. Owns what a power failure may leave: for each
 * 64-byte line of mapped memory any prefix of the stores since the last fenced write-back, for each 512-byte sector any
 * prefix of the writes since the last sync, each line and each sector on its own. What is mapped SHARED survives the
 * process: there a fence needs no write-back to make stores count, and between fences the compiler orders nothing.
 */
public final class SimMedium extends Medium {
    static final int LINE = 64;
    static final int SECTOR = 512;

    /** One change to one unit (line or sector), in the order of issue. */
    private record Change(int pos, byte[] bytes) {
    }

    private byte[] durable;
    private byte[] current;
    /** Unit key (line: index, sector: -1 - index) to its changes that are not guaranteed yet. */
    private final TreeMap<Integer, List<Change>> pending = new TreeMap<>();
    /** Per thread: line to number of its changes covered by a write-back that is not fenced yet. */
    private final Map<Thread, Map<Integer, Integer>> writeBacks = new HashMap<>();
    private final Map<ByteBuffer, Integer> positions = new IdentityHashMap<>();
    private Runnable beforeOrdering = () -> { };
    private FaultPlan faults = new FaultPlan();
    private int orderings;
    private int alignment = SECTOR;
    private boolean shared;
    private boolean pages;
    /** First and last position of each write-through under way. */
    private final List<long[]> underWay = new ArrayList<>();

    /** Errors to inject; fields are counts of calls that still succeed, negative for no fault. */
    public static final class FaultPlan {
        public int writesLeft = -1;
        public int forcesLeft = -1;
        public int readsLeft = -1;
        public long maxSize = Long.MAX_VALUE;
        public boolean shortWrite;
    }

    public SimMedium() {
        this(new byte[0]);
    }

    public SimMedium(byte[] content) {
        durable = content.clone();
        current = content.clone();
    }

    /** Called before every fence and sync takes effect: between two of them nothing else can be lost. */
    public void onOrdering(Runnable r) {
        beforeOrdering = r;
    }

    public void faults(FaultPlan f) {
        faults = f;
    }

    public int orderings() {
        return orderings;
    }

    // ---- block door -----------------------------------------------------------------------------------------------

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public synchronized long size() {
        return current.length;
    }

    @Override
    public synchronized void extend(long size) throws IOException {
        if (size > faults.maxSize) {
            throw new IOException("No space left on device");
        }
        current = Arrays.copyOf(current, (int) Math.max(size, current.length));
        durable = Arrays.copyOf(durable, current.length);
    }

    /** Taken to be on the medium at once: a crash before it leaves a longer file, which must not matter. */
    @Override
    public synchronized void truncate(long size) {
        current = Arrays.copyOf(current, (int) Math.min(size, current.length));
        durable = Arrays.copyOf(durable, current.length);
        pending.keySet().removeIf(unit -> unit >= 0 ? (unit + 1) * LINE > size : -unit * SECTOR > size);
    }

    @Override
    public synchronized void read(long pos, ByteBuffer dst) throws IOException {
        if (faults.readsLeft == 0) {
            throw new IOException("Input/output error");
        }
        faults.readsLeft--;
        if (pos + dst.remaining() > current.length) {
            throw new EOFException("simulated file ends at " + current.length);
        }
        dst.put(current, (int) pos, dst.remaining());
    }

    @Override
    public synchronized void write(long pos, ByteBuffer src) throws IOException {
        if (faults.writesLeft == 0) {
            if (faults.shortWrite && src.remaining() > 1) {
                src.limit(src.position() + src.remaining() / 2);
                store((int) pos, src);
            }
            throw new IOException("No space left on device");
        }
        faults.writesLeft--;
        store((int) pos, src);
    }

    private void store(int pos, ByteBuffer src) throws IOException {
        if (pos + src.remaining() > current.length) {
            extend(pos + src.remaining());
        }
        while (src.hasRemaining()) {
            int n = Math.min(src.remaining(), SECTOR - pos % SECTOR);
            byte[] b = new byte[n];
            src.get(b);
            System.arraycopy(b, 0, current, pos, n);
            pending.computeIfAbsent(-1 - pos / SECTOR, k -> new ArrayList<>()).add(new Change(pos, b));
            pos += n;
        }
    }

    @Override
    public int alignment() {
        return alignment;
    }

    /** As of a file system that writes through its cache, byte by byte. */
    public void unaligned() {
        alignment = 1;
    }

    /** Others may be under way; which of two writes of one block comes last nobody knows, so that is an error here. */
    @Override
    public void writeThrough(long pos, ByteBuffer src) throws IOException {
        int len = src.remaining();
        if ((pos | len) % alignment != 0) {
            throw new IOException("Invalid argument");
        }
        long[] mine = {pos, pos + len - 1};
        synchronized (this) {
            for (long[] other : underWay) {
                if (mine[0] <= other[1] && other[0] <= mine[1]) {
                    throw new IOException("a block is written twice at once, at " + Math.max(mine[0], other[0]));
                }
            }
            underWay.add(mine);
        }
        try {
            write(pos, src);
            beforeOrdering.run();
            synchronized (this) {
                orderings++;
                failedForce();
                for (int sector = (int) pos / SECTOR; sector <= (pos + len - 1) / SECTOR; sector++) {
                    settle(-1 - sector, changes(-1 - sector));
                }
            }
        } finally {
            synchronized (this) {
                underWay.remove(mine);
            }
        }
    }

    /** From now on what is mapped SHARED is at the mercy of a power failure until a sync, as on a file system of a disk. */
    public void pagesNeedSync() {
        pages = true;
    }

    private void failedForce() throws IOException {
        if (faults.forcesLeft == 0) {
            throw new IOException("Input/output error");
        }
        faults.forcesLeft--;
    }

    @Override
    public void force() throws IOException {
        beforeOrdering.run();
        synchronized (this) {
            orderings++;
            failedForce();
            for (var e : List.copyOf((pages ? pending : pending.headMap(0)).entrySet())) {
                settle(e.getKey(), e.getValue().size());
            }
        }
    }

    private void settle(int unit, int n) {
        List<Change> l = pending.get(unit);
        if (l == null) {
            return;
        }
        for (Change c : l.subList(0, n)) {
            System.arraycopy(c.bytes, 0, durable, c.pos, c.bytes.length);
        }
        l.subList(0, n).clear();
        if (l.isEmpty()) {
            pending.remove(unit);
        }
    }

    // ---- memory door ----------------------------------------------------------------------------------------------

    @Override
    public synchronized ByteBuffer map(long pos, int len, Mapping mapping) {
        ByteBuffer b = ByteBuffer.allocate(len).put(0, current, (int) pos, len);
        if (mapping == Mapping.SHARED || mapping == Mapping.SYNC) {
            positions.put(b, (int) pos);
            shared |= mapping == Mapping.SHARED;
        }
        return b;
    }

    @Override
    public Memory newMemory(int shift) {
        return new SimMemory(this, shift);
    }

    Integer position(ByteBuffer b) {
        return positions.get(b);
    }

    /** Records a store of at most eight bytes within one aligned word. */
    synchronized void stored(int pos, byte[] bytes) {
        System.arraycopy(bytes, 0, current, pos, bytes.length);
        pending.computeIfAbsent(pos / LINE, k -> new ArrayList<>()).add(new Change(pos, bytes));
    }

    @Override
    public synchronized void writeBack(Memory memory, long off, long len) {
        if (shared) {
            return;
        }
        int start = ((SimMemory) memory).filePosition(off);
        Map<Integer, Integer> mine = writeBacks.computeIfAbsent(Thread.currentThread(), t -> new HashMap<>());
        for (int line = start / LINE; line <= (start + len - 1) / LINE; line++) {
            List<Change> l = pending.get(line);
            if (l != null) {
                mine.put(line, l.size());
            }
        }
    }

    @Override
    public void fence() {
        beforeOrdering.run();
        synchronized (this) {
            orderings++;
            if (shared && pages) {
                return;
            }
            if (shared) {
                for (var e : List.copyOf(pending.tailMap(0).entrySet())) {
                    settle(e.getKey(), e.getValue().size());
                }
                return;
            }
            Map<Integer, Integer> mine = writeBacks.remove(Thread.currentThread());
            if (mine == null) {
                return;
            }
            mine.forEach((line, n) -> {
                List<Change> l = pending.get(line);
                if (l != null) {
                    int settled = Math.min(n, l.size());
                    settle(line, settled);
                    // Other threads counted the changes that are settled now.
                    writeBacks.values().forEach(w -> w.computeIfPresent(line, (k, v) -> Math.max(0, v - settled)));
                }
            });
        }
    }

    // ---- crashes --------------------------------------------------------------------------------------------------

    /** The units a crash decides about now. */
    public synchronized int[] undecided() {
        return pending.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    public synchronized int changes(int unit) {
        List<Change> l = pending.get(unit);
        return l == null ? 0 : l.size();
    }

    /** The content after a crash that keeps the first {@code keep[i]} changes of unit {@code units[i]}, none of others. */
    public synchronized byte[] image(int[] units, int[] keep) {
        byte[] b = durable.clone();
        for (int i = 0; i < units.length; i++) {
            List<Change> l = pending.get(units[i]);
            for (int k = 0; l != null && k < keep[i] && k < l.size(); k++) {
                Change c = l.get(k);
                System.arraycopy(c.bytes, 0, b, c.pos, c.bytes.length);
            }
        }
        return b;
    }

    /** The content when only the process dies: every store and write is there. */
    public synchronized byte[] processCrash() {
        return current.clone();
    }

    @Override
    public void close() {
        // Nothing to release; tests look at the content afterwards.
    }
}
