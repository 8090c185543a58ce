// References of subclasses with more than 64 words of fields: the referent is cleared, moved and enqueued as any
// other's.
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class G18WideReferences {
    static class Weak extends WeakReference<byte[]> {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5;
        Object last;

        Weak(byte[] b, ReferenceQueue<byte[]> q) {
            super(b, q);
        }
    }

    static class Soft extends SoftReference<byte[]> {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5;

        Soft(byte[] b) {
            super(b);
        }
    }

    static class Phantom extends PhantomReference<byte[]> {
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
        long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5;

        Phantom(byte[] b, ReferenceQueue<byte[]> q) {
            super(b, q);
        }
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<byte[]> weakQueue = new ReferenceQueue<>();
        ReferenceQueue<byte[]> phantomQueue = new ReferenceQueue<>();
        List<Weak> weak = new ArrayList<>();
        List<Soft> soft = new ArrayList<>();
        List<Phantom> phantom = new ArrayList<>();
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            byte[] b = new byte[100];
            Arrays.fill(b, (byte) i);
            weak.add(new Weak(b, weakQueue));
            weak.get(i).last = Integer.valueOf(i + 1000);
            soft.add(new Soft(new byte[] {(byte) i}));
            phantom.add(new Phantom(b, phantomQueue));
            if (i % 2 == 0) {
                kept.add(b);
            }
        }
        System.gc();
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] junk = new byte[200];
            Arrays.fill(junk, (byte) 0x7f);
            sum += junk[i % 200];
        }
        System.gc();
        int cleared = 0;
        int right = 0;
        int wrong = 0;
        for (int i = 0; i < 1000; i++) {
            byte[] b = weak.get(i).get();
            if (b == null) {
                cleared++;
            } else if (i % 2 == 0 && b == kept.get(i / 2) && b[7] == (byte) i) {
                right++;
            } else {
                wrong++;
            }
            byte[] s = soft.get(i).get();
            if (s != null && s[0] != (byte) i || !weak.get(i).last.equals(i + 1000)) {
                wrong++;
            }
        }
        System.out.println("cleared " + (cleared > 480) + " right " + right + " wrong " + wrong + " " + sum);
        int queued = 0;
        int phantoms = 0;
        for (int tries = 0; tries < 200 && (queued < cleared || phantoms < cleared); tries++) {
            while (weakQueue.poll() != null) {
                queued++;
            }
            while (phantomQueue.poll() != null) {
                phantoms++;
            }
            Thread.sleep(10);
        }
        System.out.println("enqueued " + (queued == cleared) + " " + (phantoms == cleared));
        // What nothing uses any more may go at once, kept objects as well as references that wait to be enqueued: no local is
        // kept alive.
        java.lang.ref.Reference.reachabilityFence(kept);
        java.lang.ref.Reference.reachabilityFence(weak);
        java.lang.ref.Reference.reachabilityFence(phantom);
    }
}
