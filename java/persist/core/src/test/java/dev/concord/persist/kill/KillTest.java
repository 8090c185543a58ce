package dev.concord.persist.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.PHeap;
import dev.concord.persist.collections.PArray;
import dev.concord.persist.core.CheckReport;
import dev.concord.persist.crash.Cell;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** SIGKILL under load: every acknowledged transfer is there, the sum is exact, nothing is left over. */
@Execution(ExecutionMode.CONCURRENT)
class KillTest {
    private static final int ROUNDS = Integer.getInteger("persist.kills", 100);

    @Test
    void onAnOrdinaryFile() throws Exception {
        Path dir = Files.createTempDirectory(Path.of(System.getProperty("persist.kill.dir", ".")).toAbsolutePath(), "jnvm-kill");
        run(dir);
    }

    @Test
    void onTmpfs() throws Exception {
        Path shm = Path.of("/dev/shm");
        Assumptions.assumeTrue(Files.isDirectory(shm) && Files.getFileStore(shm).type().equals("tmpfs"), "no tmpfs here");
        run(Files.createTempDirectory(shm, "jnvm-kill"));
    }

    private static void run(Path dir) throws Exception {
        Path file = dir.resolve("bank");
        Random random = new Random();
        long[] acknowledged = new long[BankChild.THREADS];
        long total = 0;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                total += killOnce(file, acknowledged, random, round);
                verify(file, acknowledged, round);
            }
            assertTrue(total > ROUNDS, "only " + total + " transfers were acknowledged in " + ROUNDS + " rounds");
            System.out.println(ROUNDS + " kills, " + total + " acknowledged transfers, in " + dir);
        } finally {
            try (Stream<Path> s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }

    private static long killOnce(Path file, long[] acknowledged, Random random, int round) throws Exception {
        Process p = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx96m", "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "-Xshare:auto", "-cp", System.getProperty("java.class.path"), BankChild.class.getName(), file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        // Every seventh child dies at a random moment of its start, recovery included; the others some time under load.
        boolean early = round % 7 == 6;
        Thread killer = new Thread(() -> {
            try {
                Thread.sleep(early ? 100 + random.nextInt(300) : 5000);
            } catch (InterruptedException e) {
                return;
            }
            p.toHandle().destroyForcibly();
        });
        killer.start();
        long n = 0;
        long deadline = Long.MAX_VALUE;
        try (DataInputStream in = new DataInputStream(p.getInputStream())) {
            for (;;) {
                int thread = in.readInt();
                long number = in.readLong();
                acknowledged[thread] = Math.max(acknowledged[thread], number);
                n++;
                if (!early && deadline == Long.MAX_VALUE) {
                    deadline = System.nanoTime() + (1 + random.nextInt(150)) * 1_000_000L;
                }
                if (System.nanoTime() > deadline) {
                    p.toHandle().destroyForcibly();
                    deadline = Long.MAX_VALUE - 1;
                }
            }
        } catch (EOFException e) {
            killer.interrupt();
            killer.join();
            assertEquals(137, p.waitFor(), "the child must die by the kill alone");
            return n;
        }
    }

    private static void verify(Path file, long[] acknowledged, int round) throws IOException {
        if (!Files.exists(file)) {
            for (long a : acknowledged) {
                assertEquals(0, a, "round " + round + ": transfers were acknowledged and the heap is gone");
            }
            return;
        }
        PHeap heap = BankChild.open(file);
        PArray<Cell> accounts = BankChild.accounts(heap);
        BankChild.journal(heap);
        long sum = 0;
        for (int i = 0; i < BankChild.ACCOUNTS; i++) {
            sum += accounts.get(i).amount();
        }
        assertEquals(BankChild.ACCOUNTS * BankChild.START, sum, "round " + round);
        for (int t = 0; t < BankChild.THREADS; t++) {
            long there = accounts.get(BankChild.ACCOUNTS + t).amount();
            assertTrue(there >= acknowledged[t], "round " + round + ": thread " + t + " was told of " + acknowledged[t] + ", the heap holds " + there);
            assertTrue(there <= acknowledged[t] + 1, "round " + round + ": thread " + t + " was told of " + acknowledged[t] + ", the heap holds " + there);
            acknowledged[t] = there;
        }
        CheckReport r = heap.core().check();
        assertTrue(r.sound(), () -> "round " + round + ": " + r.problems());
        assertTrue(r.unreachable().isEmpty(), () -> "round " + round + " leaves " + r.unreachable());
        assertFalse(heap.recovery().quarantined().size() > 0, () -> heap.recovery().quarantined().toString());
        if (round % 3 == 0) {
            heap.core().abandon(); // the next child recovers what this one did
        } else {
            heap.close();
        }
    }
}
