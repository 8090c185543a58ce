// covers: JNI(NewDirectByteBuffer,GetDirectBufferAddress,GetDirectBufferCapacity)
import java.nio.*;

public class J09Buffers {
    static {
        System.loadLibrary("jnitest");
    }

    static native Object buffers(Object direct, Object heap);

    public static void main(String[] args) {
        ByteBuffer d = ByteBuffer.allocateDirect(40).order(ByteOrder.nativeOrder());
        ByteBuffer b = (ByteBuffer) buffers(d, ByteBuffer.allocate(8));
        System.out.println(
                d.getInt(4) + " " + b.get(3) + " " + b.capacity() + b.isDirect() + b.order());
        b.put(5, (byte) 9);
        System.out.println(b.get(5));
    }
}
