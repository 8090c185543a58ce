package dev.concord.persist.infinispan;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.infinispan.commons.io.ByteBufferFactory;
import org.infinispan.commons.marshall.StreamAwareMarshaller;
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

    /** Appends an entry; its value is marshalled right there, for the entry itself would make arrays of it. */
    static void encode(MarshallableEntry<?, ?> e, StreamAwareMarshaller marshaller, EntryBuffer out) throws IOException {
        int at = out.skip(HEADER);
        Object value = e.getValue();
        if (value != null) {
            marshaller.writeObject(value, out);
        }
        int valueLength = value == null ? -1 : out.length() - at - HEADER;
        int metadata = append(e.getMetadataBytes(), out);
        int internal = append(e.getInternalMetadataBytes(), out);
        ByteBuffer.wrap(out.bytes(), at, HEADER).putLong(e.expiryTime()).putLong(e.created()).putLong(e.lastUsed())
                .putInt(valueLength).putInt(metadata).putInt(internal);
    }

    /** Returns how many bytes that were, -1 for none. */
    private static int append(org.infinispan.commons.io.ByteBuffer b, EntryBuffer out) {
        if (b == null) {
            return -1;
        }
        out.write(b.getBuf(), b.getOffset(), b.getLength());
        return b.getLength();
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
