import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Views of bytes as wider values: which indices take which accesses, in arrays and in heap buffers. */
public class D16ByteViews {
    interface Access {
        Object at(int index);
    }

    static void all(String name, Access a) {
        StringBuilder s = new StringBuilder(name);
        for (int i = -1; i < 18; i++) {
            try {
                s.append(' ').append(a.at(i));
            } catch (IllegalStateException | IndexOutOfBoundsException e) {
                s.append(e instanceof IllegalStateException ? " -" : " x");
                if (i < 2) System.out.println(name + ": " + e.getMessage());
            }
        }
        System.out.println(s);
    }

    public static void main(String[] args) {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            VarHandle s = MethodHandles.byteArrayViewVarHandle(short[].class, order);
            VarHandle c = MethodHandles.byteArrayViewVarHandle(char[].class, order);
            VarHandle i = MethodHandles.byteArrayViewVarHandle(int[].class, order);
            VarHandle f = MethodHandles.byteArrayViewVarHandle(float[].class, order);
            VarHandle l = MethodHandles.byteArrayViewVarHandle(long[].class, order);
            VarHandle d = MethodHandles.byteArrayViewVarHandle(double[].class, order);
            byte[] b = new byte[24];
            for (int k = 0; k < 24; k++) b[k] = (byte) (k * 37);
            all("short", k -> (short) s.getVolatile(b, k));
            all("char", k -> (int) (char) c.getOpaque(b, k));
            all("int", k -> (int) i.getAcquire(b, k));
            all("int add", k -> (int) i.getAndAdd(b, k, 5));
            all("float", k -> (float) f.compareAndExchange(b, k, 1f, 2f));
            all("long plain", k -> (long) l.get(b, k));
            all("long", k -> (long) l.getVolatile(b, k));
            all("long add", k -> (long) l.getAndAdd(b, k, 1L << 40));
            all("long cas", k -> l.compareAndSet(b, k, (long) l.get(b, k), 7L));
            all("long xor", k -> (long) l.getAndBitwiseXor(b, k, 0x55L));
            all("double", k -> (double) d.getAndSet(b, k, 1.5 * k));
            all("double set", k -> { d.setRelease(b, k, 2.5 * k); return (double) d.getVolatile(b, k); });
            VarHandle bl = MethodHandles.byteBufferViewVarHandle(long[].class, order);
            VarHandle bi = MethodHandles.byteBufferViewVarHandle(int[].class, order);
            for (int from = 0; from < 9; from += 4) {
                ByteBuffer bb = ByteBuffer.wrap(b, from, 16).slice();
                all("buffer long " + from, k -> (long) bl.getAndAdd(bb, k, 3L));
                all("buffer int " + from, k -> bi.compareAndSet(bb, k, (int) bi.get(bb, k), k));
            }
            int sum = 0;
            for (byte x : b) sum = sum * 31 + x;
            System.out.println(order + " " + sum);
        }
        ByteBuffer heap = ByteBuffer.allocate(40);
        for (int unit = 1; unit <= 8; unit *= 2) {
            StringBuilder s = new StringBuilder("unit " + unit);
            for (int k = 0; k < 9; k++) s.append(' ').append(heap.alignmentOffset(k, unit));
            heap.position(3);
            System.out.println(s + " " + heap.alignedSlice(unit));
        }
        try {
            heap.alignmentOffset(0, 16);
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        VarHandle l = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
        byte[] counter = new byte[16];
        for (int k = 0; k < 20000; k++) l.getAndAdd(counter, 8, (long) k);
        System.out.println((long) l.getVolatile(counter, 8));
    }
}
