package dev.concord.persist.bench;

import java.util.SplittableRandom;

/** Keys of zipfian popularity (exponent 0.99), scattered over the key space so that popular ones are not neighbours. */
final class Zipf {
    private static final double THETA = 0.99;
    private final int n;
    private final double zetaN;
    private final double alpha;
    private final double eta;

    Zipf(int n) {
        this.n = n;
        double z = 0;
        for (int i = 1; i <= n; i++) {
            z += 1 / Math.pow(i, THETA);
        }
        zetaN = z;
        alpha = 1 / (1 - THETA);
        double zeta2 = 1 + 1 / Math.pow(2, THETA);
        eta = (1 - Math.pow(2.0 / n, 1 - THETA)) / (1 - zeta2 / zetaN);
    }

    int next(SplittableRandom r) {
        double u = r.nextDouble();
        double uz = u * zetaN;
        long rank = uz < 1 ? 0 : uz < 1 + Math.pow(0.5, THETA) ? 1 : (long) (n * Math.pow(eta * u - eta + 1, alpha));
        long h = rank * 0x9E3779B97F4A7C15L;
        return (int) (((h ^ h >>> 32) >>> 1) % n);
    }
}
