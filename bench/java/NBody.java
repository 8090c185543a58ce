/** Five bodies attracted by each other: double fields and object arrays. */
final class NBody {
    double x;
    double y;
    double z;
    double vx;
    double vy;
    double vz;
    final double mass;

    NBody(int seed) {
        x = seed * 1.7 - 4;
        y = seed * seed * 0.6 - 2;
        z = 3 - seed * 0.9;
        vx = 0.01 * seed;
        vy = 0.02 * (2 - seed);
        vz = 0.005 * seed;
        mass = 1.0 / (seed + 1);
    }

    static long run(int steps) {
        NBody[] bodies = new NBody[5];
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = new NBody(i);
        }
        for (int s = 0; s < steps; s++) {
            advance(bodies, 0.001);
        }
        double energy = 0;
        for (NBody b : bodies) {
            energy += b.mass * (b.vx * b.vx + b.vy * b.vy + b.vz * b.vz);
        }
        return Double.doubleToLongBits(energy);
    }

    private static void advance(NBody[] bodies, double dt) {
        for (int i = 0; i < bodies.length; i++) {
            NBody a = bodies[i];
            for (int j = i + 1; j < bodies.length; j++) {
                NBody b = bodies[j];
                double dx = a.x - b.x;
                double dy = a.y - b.y;
                double dz = a.z - b.z;
                double d2 = dx * dx + dy * dy + dz * dz + 0.01;
                // No square root: it is a native call under interpretation.
                double mag = dt / (d2 * d2);
                a.vx -= dx * b.mass * mag;
                a.vy -= dy * b.mass * mag;
                a.vz -= dz * b.mass * mag;
                b.vx += dx * a.mass * mag;
                b.vy += dy * a.mass * mag;
                b.vz += dz * a.mass * mag;
            }
            a.x += dt * a.vx;
            a.y += dt * a.vy;
            a.z += dt * a.vz;
        }
    }
}
