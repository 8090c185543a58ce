package dev.concord.persist.bench;

import dev.concord.persist.bench.Banks.Bank;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Transfers between accounts of 140 bytes, each atomic, isolated and durable to power loss before it counts: ours, RocksDB
 * with pessimistic transactions and a synced log, and PostgreSQL as it is installed. Arguments: accounts, threads, seconds
 * per round, rounds, directory, the port of a PostgreSQL on loopback or "-".
 */
public final class Tpcb {
    private Tpcb() {
    }

    public static void main(String[] args) throws Exception {
        int accounts = Integer.parseInt(args[0]);
        int threads = Integer.parseInt(args[1]);
        double seconds = Double.parseDouble(args[2]);
        int rounds = Integer.parseInt(args[3]);
        Path dir = Files.createTempDirectory(Path.of(args[4]), "bench-tpcb");
        Map<String, Bank> banks = new LinkedHashMap<>();
        try {
            banks.put("concord", new Banks.Ours(dir.resolve("heap"), accounts));
            banks.put("rocksdb-txn", new Banks.Rocks(dir.resolve("rocks"), accounts));
            if (!args[5].equals("-")) {
                banks.put("postgresql", new Banks.Postgres(Integer.parseInt(args[5]), accounts));
            }
            compare(banks, accounts, threads, seconds, rounds);
        } finally {
            for (Bank b : banks.values()) {
                b.close();
            }
            try (var s = Files.walk(dir)) {
                for (Path p : s.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(p);
                }
            }
        }
    }

    private static void compare(Map<String, Bank> banks, int accounts, int threads, double seconds, int rounds) throws Exception {
        Map<String, double[][]> results = new LinkedHashMap<>();
        for (int r = -1; r < rounds; r++) {
            for (Map.Entry<String, Bank> b : banks.entrySet()) {
                double[] x = round(b.getValue(), accounts, threads, r < 0 ? seconds / 2 : seconds);
                if (r >= 0) {
                    double[][] all = results.computeIfAbsent(b.getKey(), k -> new double[2][rounds]);
                    all[0][r] = x[0];
                    all[1][r] = x[1];
                }
            }
        }
        for (Map.Entry<String, Bank> b : banks.entrySet()) {
            if (b.getValue().sum() != 0) {
                throw new IllegalStateException(b.getKey() + " made or lost money: " + b.getValue().sum());
            }
        }
        double[][] ours = results.get("concord");
        for (String rival : banks.keySet()) {
            if (rival.equals("concord")) {
                continue;
            }
            double[][] theirs = results.get(rival);
            String name = "tpcb-power-" + threads + "t" + (rival.equals("postgresql") ? "-vs-postgresql" : "");
            print(name, "ops/s", rival, ours[0], theirs[0]);
            if (!rival.equals("postgresql")) { // works in processes of its own
                print(name + "-cpu", "us/op", rival, ours[1], theirs[1]);
            }
        }
    }

    private static void print(String name, String unit, String rival, double[] ours, double[] theirs) {
        int m = ours.length / 2;
        double[] ratios = new double[ours.length];
        for (int r = 0; r < ratios.length; r++) {
            ratios[r] = ours[r] / theirs[r];
        }
        Arrays.sort(ratios);
        System.out.printf("figure %s %.2f %s ref=%s %.2f ratio=%.2f spread=%.2f..%.2f%n", name, median(ours), unit, rival, median(theirs), ratios[m],
                ratios[0], ratios[ratios.length - 1]);
    }

    private static double median(double[] v) {
        double[] s = v.clone();
        Arrays.sort(s);
        return s[s.length / 2];
    }

    private static double[] round(Bank bank, int accounts, int threads, double seconds) throws Exception {
        LongAdder done = new LongAdder();
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = os.getProcessCpuTime();
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        List<Thread> all = new ArrayList<>();
        Throwable[] failure = new Throwable[1];
        for (int t = 0; t < threads; t++) {
            SplittableRandom r = new SplittableRandom(begin + t);
            Thread x = new Thread(() -> {
                try {
                    while (System.nanoTime() < end) {
                        int from = r.nextInt(accounts);
                        bank.transfer(from, (from + 1 + r.nextInt(accounts - 1)) % accounts, r.nextInt(100));
                        done.increment();
                    }
                } catch (Exception e) {
                    failure[0] = e;
                }
            });
            x.start();
            all.add(x);
        }
        for (Thread x : all) {
            x.join();
        }
        if (failure[0] != null) {
            throw new IllegalStateException("a worker failed", failure[0]);
        }
        return new double[] {done.sum() / ((System.nanoTime() - begin) / 1e9), (os.getProcessCpuTime() - cpu) / 1e3 / done.sum()};
    }
}
