package dev.concord.persist.core;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The cache-line write-back instructions. Owns the way to them: the JDK's own intrinsics where the command line opens
 * {@code java.base/jdk.internal.misc} (one fence for many lines), else {@link MappedByteBuffer#force(int, int)} of a
 * MAP_SYNC mapping, which fences at each call.
 */
public final class Writeback {
    private static final Writeback FOUND = new Writeback();
    private final MethodHandle line;
    private final MethodHandle preSync;
    private final MethodHandle postSync;
    private final MethodHandle address;
    private final int lineSize;

    private Writeback() {
        MethodHandle l = null;
        MethodHandle pre = null;
        MethodHandle post = null;
        MethodHandle addr = null;
        int size = 64;
        try {
            Class<?> u = Class.forName("jdk.internal.misc.Unsafe");
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(u, MethodHandles.lookup());
            Object unsafe = lookup.findStatic(u, "getUnsafe", MethodType.methodType(u)).invoke();
            size = (int) lookup.findStatic(u, "dataCacheLineFlushSize", MethodType.methodType(int.class)).invoke();
            long field = (long) lookup.findVirtual(u, "objectFieldOffset", MethodType.methodType(long.class, Class.class, String.class))
                    .invoke(unsafe, java.nio.Buffer.class, "address");
            MethodHandle getLong = lookup.findVirtual(u, "getLong", MethodType.methodType(long.class, Object.class, long.class)).bindTo(unsafe);
            addr = MethodHandles.insertArguments(getLong, 1, field).asType(MethodType.methodType(long.class, MappedByteBuffer.class));
            l = lookup.findVirtual(u, "writeback0", MethodType.methodType(void.class, long.class)).bindTo(unsafe);
            pre = lookup.findVirtual(u, "writebackPreSync0", MethodType.methodType(void.class)).bindTo(unsafe);
            post = lookup.findVirtual(u, "writebackPostSync0", MethodType.methodType(void.class)).bindTo(unsafe);
        } catch (IllegalAccessException | ClassNotFoundException e) {
            l = null; // not opened to us: the public way works too, only slower
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
        boolean usable = l != null && size > 0;
        line = usable ? l : null;
        preSync = pre;
        postSync = post;
        address = addr;
        lineSize = size > 0 ? size : 64;
    }

    static Writeback find() {
        return FOUND;
    }

    /** MapMode READ_WRITE_SYNC of module jdk.nio.mapmode, or null if this runtime lacks it. */
    static FileChannel.MapMode syncMode() {
        try {
            Field f = Class.forName("jdk.nio.mapmode.ExtendedMapMode").getField("READ_WRITE_SYNC");
            return (FileChannel.MapMode) f.get(null);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    public String describe() {
        return line != null ? "write-back intrinsics, " + lineSize + "-byte lines" : "MappedByteBuffer.force (open java.base/jdk.internal.misc for the intrinsics)";
    }

    void writeBack(MappedByteBuffer b, int off, int len) {
        if (line == null) {
            b.force(off, len);
            return;
        }
        try {
            long base = (long) address.invokeExact(b);
            for (long a = base + off & -lineSize, end = base + off + len; a < end; a += lineSize) {
                line.invokeExact(a);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("write-back failed", e);
        }
    }

    void fence() {
        if (line == null) {
            java.lang.invoke.VarHandle.fullFence();
            return;
        }
        try {
            preSync.invokeExact();
            postSync.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("fence failed", e);
        }
    }
}
