package dev.concord.persist.infinispan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The buffer that a thread's entries are made in. */
class EntryBufferTest {
    @Test
    void aThreadHasOneUntilItNeedsAnother() {
        EntryBuffer first = EntryBuffer.take();
        try (EntryBuffer within = EntryBuffer.take()) {
            assertNotSame(first, within);
            within.write(1);
            assertEquals(0, first.length());
        }
        first.write(2);
        first.close();
        try (EntryBuffer again = EntryBuffer.take()) {
            assertSame(first, again);
            assertEquals(0, again.length());
        }
    }

    @Test
    void holdsWhatIsWrittenAndKeepsNoLargeArray() {
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        EntryBuffer b = EntryBuffer.take();
        assertEquals(0, b.skip(36));
        b.write(large[0]);
        b.write(large, 1, large.length - 1);
        assertEquals(36 + large.length, b.length());
        byte[] all = b.toArray();
        assertArrayEquals(large, Arrays.copyOfRange(all, 36, all.length));
        b.close();
        assertEquals(1 << 10, b.bytes().length);
    }
}
