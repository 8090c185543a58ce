package dev.concord.persist.infinispan;

import java.nio.ByteBuffer;
import org.infinispan.commons.io.ByteBufferFactory;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.MarshallableEntryFactory;

/**
 * An entry as one array of bytes: expiry time 8, created 8, last used 8, lengths of value, metadata and internal metadata
 * 4 each (-1 for none), then these. The expiry time comes first so that it can be judged alone.
 */
final class StoredEntry {
    private static final int HEADER = 36;

    private StoredEntry() {
    }

    private static int length(org.infinispan.commons.io.ByteBuffer b) {
        return b == null ? -1 : b.getLength();
    }

    static byte[] bytes(org.infinispan.commons.io.ByteBuffer b) {
        return b.getOffset() == 0 && b.getLength() == b.getBuf().length ? b.getBuf() : b.copy().getBuf();
    }

    static byte[] encode(MarshallableEntry<?, ?> e) {
        org.infinispan.commons.io.ByteBuffer[] parts = {e.getValueBytes(), e.getMetadataBytes(), e.getInternalMetadataBytes()};
        int n = HEADER;
        for (org.infinispan.commons.io.ByteBuffer p : parts) {
            n += Math.max(0, length(p));
        }
        ByteBuffer out = ByteBuffer.allocate(n);
        out.putLong(e.expiryTime()).putLong(e.created()).putLong(e.lastUsed());
        for (org.infinispan.commons.io.ByteBuffer p : parts) {
            out.putInt(length(p));
        }
        for (org.infinispan.commons.io.ByteBuffer p : parts) {
            if (p != null) {
                out.put(p.getBuf(), p.getOffset(), p.getLength());
            }
        }
        return out.array();
    }

    static boolean isExpired(byte[] stored, long now) {
        long when = ByteBuffer.wrap(stored).getLong();
        return when > 0 && when <= now;
    }

    static <K, V> MarshallableEntry<K, V> decode(Object key, byte[] stored, boolean withValue, MarshallableEntryFactory<K, V> entries, ByteBufferFactory buffers) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        in.getLong();
        long created = in.getLong();
        long used = in.getLong();
        org.infinispan.commons.io.ByteBuffer[] parts = new org.infinispan.commons.io.ByteBuffer[3];
        int at = HEADER;
        for (int i = 0; i < 3; i++) {
            int n = in.getInt();
            if (n >= 0) {
                parts[i] = buffers.newByteBuffer(stored, at, n);
                at += n;
            }
        }
        return entries.create(key, withValue ? parts[0] : null, parts[1], parts[2], created, used);
    }
}
