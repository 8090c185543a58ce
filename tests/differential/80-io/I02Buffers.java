import java.nio.*;
import java.util.*;

public class I02Buffers {
    static void fill(ByteBuffer b) {
        b.put((byte) 1)
                .putShort((short) 0x0203)
                .putInt(0x04050607)
                .putLong(0x08090a0b0c0d0e0fL)
                .putFloat(1.5f)
                .putDouble(2.5)
                .putChar('q');
        b.flip();
        byte[] x = new byte[b.remaining()];
        b.get(x);
        System.out.println(Arrays.toString(x));
        b.rewind();
        System.out.println(
                b.get()
                        + " "
                        + b.getShort()
                        + " "
                        + b.getInt()
                        + " "
                        + b.getLong()
                        + " "
                        + b.getFloat()
                        + " "
                        + b.getDouble()
                        + b.getChar()
                        + b.hasRemaining());
    }

    public static void main(String[] args) {
        for (ByteBuffer b :
                new ByteBuffer[] {
                    ByteBuffer.allocate(64),
                    ByteBuffer.allocateDirect(64),
                    ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN),
                    ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN),
                    ByteBuffer.allocate(80).position(7).slice()
                }) fill(b);
        ByteBuffer d = ByteBuffer.allocateDirect(32);
        try {
            d.putLong(30, 1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("ioobe");
        }
        try {
            d.position(30).putInt(1);
        } catch (BufferOverflowException e) {
            System.out.println("over");
        }
        try {
            d.getLong();
        } catch (BufferUnderflowException e) {
            System.out.println("under");
        }
        try {
            d.asReadOnlyBuffer().put((byte) 1);
        } catch (ReadOnlyBufferException e) {
            System.out.println("ro");
        }
        try {
            d.limit(40);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            ByteBuffer.allocate(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        d.clear();
        IntBuffer ib = d.order(ByteOrder.nativeOrder()).asIntBuffer();
        ib.put(new int[] {1, 2, 3});
        LongBuffer lb = d.asLongBuffer();
        System.out.println(
                lb.get(0)
                        + " "
                        + ib.get(2)
                        + d.duplicate().slice(4, 8).getInt()
                        + " "
                        + d.compareTo(ByteBuffer.allocate(32))
                        + d.equals(d.duplicate())
                        + d.mismatch(ByteBuffer.allocate(32)));
        d.position(4);
        d.compact();
        System.out.println(d.position() + " " + d.getInt(0));
        CharBuffer cb = CharBuffer.wrap("chars");
        System.out.println(cb.subSequence(1, 3) + "" + cb.length());
        ByteBuffer big = ByteBuffer.allocateDirect(1 << 20);
        for (int i = 0; i < 1 << 20; i += 4096) big.put(i, (byte) (i >> 12));
        int s = 0;
        for (int i = 0; i < 1 << 20; i += 4096) s += big.get(i);
        System.out.println(s);
        for (int i = 0; i < 2000; i++) ByteBuffer.allocateDirect(1 << 16);
        System.out.println("many");
        DoubleBuffer db = DoubleBuffer.allocate(3).put(1.5).put(2.5);
        db.flip();
        double[] da = new double[2];
        db.get(da);
        System.out.println(da[1]);
        ByteBuffer src = ByteBuffer.wrap(new byte[] {1, 2, 3}), dst = ByteBuffer.allocateDirect(8);
        dst.put(src).put(5, new byte[] {9, 9, 9}, 1, 2);
        System.out.println(dst.get(2) + dst.get(5));
    }
}
