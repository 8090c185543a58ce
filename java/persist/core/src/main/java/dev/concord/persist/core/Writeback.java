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
    /** Constants, because only a call through a constant handle becomes the instruction itself. */
    private static final MethodHandle LINE;
    private static final MethodHandle PRE_SYNC;
    private static final MethodHandle POST_SYNC;
    private static final MethodHandle ADDRESS;
    private static final int LINE_SIZE;

    static {
        MethodHandle line = null;
        MethodHandle pre = null;
        MethodHandle post = null;
        MethodHandle address = null;
        int size = 0;
        try {
            Class<?> u = Class.forName("jdk.internal.misc.Unsafe");
            if (u.getModule().isOpen(u.getPackageName(), Writeback.class.getModule())) {
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(u, MethodHandles.lookup());
                Object unsafe = lookup.findStatic(u, "getUnsafe", MethodType.methodType(u)).invoke();
                size = (int) lookup.findVirtual(u, "dataCacheLineFlushSize", MethodType.methodType(int.class)).invoke(unsafe);
                long field = (long) lookup.findVirtual(u, "objectFieldOffset", MethodType.methodType(long.class, Class.class, String.class))
                        .invoke(unsafe, java.nio.Buffer.class, "address");
                MethodHandle getLong = lookup.findVirtual(u, "getLong", MethodType.methodType(long.class, Object.class, long.class)).bindTo(unsafe);
                address = MethodHandles.insertArguments(getLong, 1, field).asType(MethodType.methodType(long.class, MappedByteBuffer.class));
                line = lookup.findVirtual(u, "writeback0", MethodType.methodType(void.class, long.class)).bindTo(unsafe);
                pre = lookup.findVirtual(u, "writebackPreSync0", MethodType.methodType(void.class)).bindTo(unsafe);
                post = lookup.findVirtual(u, "writebackPostSync0", MethodType.methodType(void.class)).bindTo(unsafe);
            }
        } catch (ReflectiveOperationException e) {
            line = null; // another JDK's internals: the public way works too, only slower, and describe() tells
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
        // Size 0: the processor has no such instruction, or the JDK does not use it.
        LINE = size > 0 ? line : null;
        PRE_SYNC = pre;
        POST_SYNC = post;
        ADDRESS = address;
        LINE_SIZE = size;
    }

    private Writeback() {
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
        return LINE != null ? "write-back intrinsics, " + LINE_SIZE + "-byte lines" : "MappedByteBuffer.force (open java.base/jdk.internal.misc for the intrinsics)";
    }

    void writeBack(MappedByteBuffer b, int off, int len) {
        if (LINE == null) {
            b.force(off, len);
            return;
        }
        try {
            long base = (long) ADDRESS.invokeExact(b);
            for (long a = base + off & -LINE_SIZE, end = base + off + len; a < end; a += LINE_SIZE) {
                LINE.invokeExact(a);
            }
        } catch (Throwable e) {
            throw new IllegalStateException("write-back failed", e);
        }
    }

    void fence() {
        if (LINE == null) {
            java.lang.invoke.VarHandle.fullFence();
            return;
        }
        try {
            PRE_SYNC.invokeExact();
            POST_SYNC.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("fence failed", e);
        }
    }
}
