package dev.concord.persist.collections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strings that are objects. */
@SuppressWarnings("unchecked")
class PStringTest {
    private static final List<String> TEXTS = List.of("", "plain", "caf\u00e9 \u00ff\u0000", "\u4e2d\u6587", "\ud83d\ude00", "half \ud83d", "x".repeat(5000) + "\u0100");
    @TempDir
    Path dir;

    private PHeap open() {
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().durability(Durability.PROCESS).segmentSize(1 << 20));
    }

    @Test
    void textsComeBackAndAreSharedByTheirHolders() {
        try (PHeap h = open()) {
            PArray<PString> a = h.root("a", PArray.class, () -> new PArray<PString>(2 * TEXTS.size()));
            h.atomic(() -> {
                for (int i = 0; i < TEXTS.size(); i++) {
                    PString s = new PString(TEXTS.get(i));
                    a.set(2 * i, s);
                    a.set(2 * i + 1, s);
                }
            });
        }
        try (PHeap h = open()) {
            PArray<PString> a = (PArray<PString>) h.root("a");
            for (int i = 0; i < TEXTS.size(); i++) {
                PString s = a.get(2 * i);
                String t = TEXTS.get(i);
                assertSame(s, a.get(2 * i + 1));
                assertEquals(t, s.toString());
                assertEquals(t.length(), s.length());
                assertEquals(t.hashCode(), s.hashCode());
                assertEquals(t.isEmpty() ? "" : t.substring(1), s.subSequence(t.isEmpty() ? 0 : 1, s.length()));
            }
        }
    }

    @Test
    void equalTextsAreEqualAndOrderedAsStringsAre() {
        try (PHeap h = open()) {
            PString[] s = h.with(() -> new PString[] {new PString("a"), new PString("a"), new PString("b")});
            assertEquals(s[0], s[1]);
            assertNotEquals(s[0], s[2]);
            assertNotEquals(s[0], "a");
            assertEquals(-1, s[0].compareTo(s[2]));
            assertThrows(NullPointerException.class, () -> h.with(() -> new PString((String) null)));
            h.free(s[0]);
            assertThrows(PersistException.Dangling.class, () -> s[0].length(), "the text that was read is no reason to answer");
        }
    }
}
