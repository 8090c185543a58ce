package dev.concord.persist.cli;

import dev.concord.persist.CompactionReport;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapMXBean;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import dev.concord.persist.core.CheckReport;
import dev.concord.persist.core.HeapLock;
import dev.concord.persist.core.Inspector;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * {@code jnvm}: looks at heaps without changing them, copies and compacts them. Of a heap in use it asks the process that has it open
 * ({@link Owner}); what needs a heap at rest is read from a copy that this process makes. Exit code 0, 1 for a finding, 2 for misuse.
 */
public final class Main {
    private static final String USAGE = """
            usage: jnvm COMMAND FILE [FILE]
              info     identity, shape and roots
              check    verify every invariant; exit code 1 if one is violated
              stat     live objects and bytes by class
              top      the ten classes that take most
              dump     every live object as a line of JSON
              leaks    objects that no root reaches, and where their graphs begin
              compact  move objects together; shortens the file of a heap that is not in use
              log      where the write-ahead log stands
              backup   copy a heap, checked: jnvm backup HEAP COPY
              restore  put a backup in place of a heap that is not in use: jnvm restore COPY HEAP
            A heap in use is asked for by the process that has it open, if it was opened with PHeapOptions.management(true).
            """;
    private final PrintStream out;
    private final PrintStream err;
    private final ProgressBar bar;

    Main(PrintStream out, PrintStream err, boolean terminal) {
        this.out = out;
        this.err = err;
        this.bar = new ProgressBar(err, terminal);
    }

    public static void main(String[] args) {
        System.exit(new Main(System.out, System.err, System.console() != null).run(args));
    }

    int run(String... args) {
        try {
            if (args.length < 2) {
                err.print(USAGE);
                return 2;
            }
            Path file = Path.of(args[1]);
            switch (args[0]) {
                case "backup", "restore" -> {
                    if (args.length < 3) {
                        err.print(USAGE);
                        return 2;
                    }
                    Path target = Path.of(args[2]);
                    return args[0].equals("restore") ? copy(file, target, true) : closedOrOpen(file, () -> copy(file, target, false), o -> backup(o, target));
                }
                case "compact" -> {
                    return closedOrOpen(file, () -> compact(file), this::compact);
                }
                case "info", "check", "stat", "top", "dump", "log", "leaks" -> {
                    return closedOrOpen(file, () -> look(args[0], file), o -> look(args[0], file, o));
                }
                default -> {
                    err.print(USAGE);
                    return 2;
                }
            }
        } catch (PersistException | IOException e) {
            err.println("jnvm: " + e.getMessage());
            return 1;
        }
    }

    @FunctionalInterface
    private interface Closed {
        int run() throws IOException;
    }

    @FunctionalInterface
    private interface Open {
        int run(Owner owner) throws IOException;
    }

    /** Does it to the file, or asks the process that has it open. */
    private int closedOrOpen(Path file, Closed closed, Open open) throws IOException {
        try {
            return closed.run();
        } catch (PersistException.Locked e) {
            bar.done();
            try (Owner owner = Owner.of(file, e)) {
                return open.run(owner);
            }
        }
    }

    private int backup(Owner owner, Path target) throws IOException {
        owner.heap().backup(target.toAbsolutePath().toString());
        out.println("copied " + owner.heap().getFile() + " to " + target + ", in use by process " + owner.pid());
        try (PHeap copy = open(target)) {
            return check(copy);
        }
    }

    private int compact(Owner owner) {
        Map<String, Long> r = owner.heap().compact();
        out.println("moved " + r.get("movedObjects") + " objects of " + r.get("movedBytes") + " bytes, freed " + r.get("freedBytes")
                + " bytes; blocks waited " + r.get("pauses") + " times, at most " + r.get("longestPauseMillis")
                + " ms; the file is shortened when process " + owner.pid() + " closes it");
        return 0;
    }

    /** A heap in use: its own numbers, or what a copy of it says. */
    private int look(String command, Path file, Owner owner) throws IOException {
        PHeapMXBean heap = owner.heap();
        switch (command) {
            case "info" -> {
                print(heap.info());
                out.println("open: by process " + owner.pid() + ", " + heap.getDurability());
            }
            case "log" -> print(heap.log());
            case "leaks" -> leaks(heap.leaks());
            default -> {
                Path copy = file.resolveSibling(file.getFileName() + ".look" + ProcessHandle.current().pid());
                try {
                    heap.backup(copy.toAbsolutePath().toString());
                    return look(command, copy);
                } finally {
                    Files.deleteIfExists(copy);
                    Files.deleteIfExists(HeapLock.fileOf(copy));
                }
            }
        }
        return 0;
    }

    private PHeapOptions options() {
        return PHeapOptions.defaults().create(PHeapOptions.Create.NEVER).progress(bar);
    }

    private PHeap open(Path file) {
        PHeap h = PHeap.open(file, options().readOnly(true));
        bar.done();
        return h;
    }

    private int compact(Path file) throws IOException {
        long before = Files.size(file);
        CompactionReport r;
        try (PHeap heap = PHeap.open(file, options())) {
            r = heap.compact(bar);
        }
        bar.done();
        out.println("moved " + r.movedObjects() + " objects of " + r.movedBytes() + " bytes, freed " + r.freedBytes() + " bytes; the file had " + before
                + " bytes and has " + Files.size(file));
        return 0;
    }

    private void leaks(List<String> found) {
        found.forEach(out::println);
        if (found.isEmpty()) {
            out.println("no leaks");
        }
    }

    private int look(String command, Path file) throws IOException {
        try (PHeap heap = open(file)) {
            Inspector inspector = new Inspector(heap.core());
            switch (command) {
                case "info" -> {
                    print(inspector.info());
                    out.println("closed: " + heap.recovery().clean());
                }
                case "log" -> print(inspector.log());
                case "leaks" -> leaks(heap.leaks().lines());
                case "dump" -> {
                    Writer w = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
                    inspector.dump(w);
                    w.flush();
                }
                case "check" -> {
                    return check(heap);
                }
                default -> stat(heap.core().check(), command.equals("top") ? 10 : Integer.MAX_VALUE);
            }
            return 0;
        }
    }

    private void print(Map<String, ?> m) {
        m.forEach((k, v) -> out.println(k + ": " + v));
    }

    private int check(PHeap heap) {
        CheckReport r = heap.core().check();
        heap.recovery().quarantined().forEach(q -> out.println("quarantined: " + q));
        heap.recovery().nulledReferences().forEach(n -> out.println("recovery would null: " + n));
        r.problems().forEach(p -> out.println("problem: " + p));
        r.unreachable().forEach((c, n) -> out.println("unreachable: " + n + " of " + c));
        boolean good = r.sound() && heap.recovery().quarantined().isEmpty();
        out.println(good ? "sound: " + r.live().values().stream().mapToLong(Long::longValue).sum() + " live objects" : r.problemCount() + " problems");
        return good ? 0 : 1;
    }

    private void stat(CheckReport r, int most) {
        out.printf("%12s %14s  %s%n", "objects", "bytes", "class");
        r.liveBytes().entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())).limit(most)
                .forEach(e -> out.printf("%12d %14d  %s%n", r.live().get(e.getKey()), e.getValue(), e.getKey()));
    }

    private void copyBytes(Path from, Path part) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel to = FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            long size = in.size();
            for (long at = 0; at < size;) {
                at += in.transferTo(at, Math.min(4 << 20, size - at), to);
                bar.at("copy", at, size);
            }
            bar.done();
            to.force(true);
        }
    }

    /** The copy is complete and synced before it takes its name. */
    private int copy(Path from, Path to, boolean replace) throws IOException {
        if (!replace && Files.exists(to)) {
            err.println("jnvm: " + to + " exists");
            return 1;
        }
        // Held open while copying: nobody can write to it meanwhile.
        try (PHeap source = open(from)) {
            if (check(source) != 0) {
                err.println("jnvm: " + from + " is not copied, see above");
                return 1;
            }
            Path part = to.resolveSibling(to.getFileName() + ".part");
            copyBytes(from, part);
            if (replace && Files.exists(to)) {
                PHeap.open(to, PHeapOptions.defaults().create(PHeapOptions.Create.NEVER).readOnly(true)).close(); // refuses if it is in use
            }
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        out.println("copied " + from + " to " + to);
        return 0;
    }
}
