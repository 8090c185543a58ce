package dev.concord.persist.core;

import dev.concord.persist.PersistException;
import dev.concord.persist.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Copies a heap that is in use. Owns the moment the copy stands for: pages are copied while blocks run, those that changed
 * meanwhile again, and the last of them while no block does, so the copy holds every block that committed until then and
 * nothing of any other. The copy is a closed heap: it opens without recovery, with either engine.
 */
final class Backup {
    static final int PAGE_SHIFT = 12;
    private static final int CHUNK = 1 << 20;
    private static final int PASSES = 5;
    private static final int FEW_PAGES = 256;
    private final HeapCore heap;
    private final Progress progress;

    Backup(HeapCore heap, Progress progress) {
        this.heap = heap;
        this.progress = progress;
    }

    void run(Path target) throws IOException {
        if (Files.exists(target)) {
            throw new PersistException.Misuse(target + " exists; a backup goes to a new file");
        }
        heap.engine.watchChanges();
        try (FileMedium copy = FileMedium.open(target, true, false)) {
            Superblock sb = heap.engine.superblock;
            copy.extend(sb.fileSize());
            long total = sb.segments * sb.segmentSize();
            for (long off = 0; off < total; off += CHUNK) {
                copyRange(copy, off, (int) Math.min(CHUNK, total - off));
                progress.at("copy", off, total);
            }
            BitSet pages = heap.engine.watchChanges();
            for (int pass = 0; pass < PASSES && pages.cardinality() > FEW_PAGES; pass++) {
                copyPages(copy, pages);
                pages = heap.engine.watchChanges();
            }
            finish(copy, pages);
            copy.publish();
            progress.at("copy", total, total);
        } finally {
            heap.engine.stopWatching();
        }
    }

    private void finish(FileMedium copy, BitSet pages) throws IOException {
        try {
            heap.exclusively(HeapCore.GATE_MILLIS, "backup", () -> {
                try {
                    heap.engine.checkUsable();
                    copy.extend(heap.engine.superblock.fileSize());
                    copyPages(copy, pages);
                    copyPages(copy, heap.engine.watchChanges());
                    Superblock sb = heap.engine.superblock.ofCopy();
                    copy.force();
                    sb.write(copy);
                    sb.write(copy); // both places hold one that verifies
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return null;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void copyPages(FileMedium copy, BitSet pages) throws IOException {
        int perSegment = 1 << heap.memory.shift() - PAGE_SHIFT;
        for (int p = pages.nextSetBit(0); p >= 0;) {
            int end = Math.min(Math.min(pages.nextClearBit(p), (p / perSegment + 1) * perSegment), p + (CHUNK >> PAGE_SHIFT));
            copyRange(copy, (long) p << PAGE_SHIFT, end - p << PAGE_SHIFT);
            p = pages.nextSetBit(end);
        }
    }

    private void copyRange(FileMedium copy, long off, int len) throws IOException {
        copy.extend(heap.engine.superblock.dataOffset + off + len);
        copy.write(heap.engine.superblock.dataOffset + off, heap.memory.view(off, len));
    }
}
