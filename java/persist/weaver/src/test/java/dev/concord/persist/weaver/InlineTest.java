package dev.concord.persist.weaver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import dev.concord.persist.core.Inspector;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values within their object: stored, refused, dumped, migrated. */
class InlineTest {
    private static final String SOURCE = """
            package app; import dev.concord.persist.*; import dev.concord.persist.collections.*; import java.util.*;
            @Persistent(fa = "public") public class Part extends Base {
                public byte flag; public @Inline(5) byte[] raw; public int n; public @FieldId("title") @Inline(12) String name; public @Inline(9) Long big;
                public @Inline(64) Kind kind; public @Inline(30) int[] numbers; public @Inline(300) byte[] large; public Part next; public String own;
                public static void fill(PHeap heap) {
                    PHashMap<Integer, Part> m = heap.root("parts", PHashMap.class, PHashMap::new);
                    Part[] last = new Part[1];
                    for (int i = 0; i < 100; i++) {
                        int k = i;
                        heap.atomic(() -> {
                            Part p = new Part();
                            p.flag = (byte) k; p.n = -k; p.next = last[0]; p.own = "own" + k;
                            m.put(k, p); last[0] = p;
                        });
                        Part p = last[0];
                        p.inherited = "in" + k;
                        if (k % 7 != 0) { // outside of blocks: each store is one
                            p.raw = new byte[] {(byte) k, 2, 3}; p.name = "name" + k; p.big = (long) k << 40;
                        }
                        heap.atomic(() -> {
                            p.kind = k % 2 == 0 ? Kind.EVEN : Kind.ODD; p.numbers = new int[] {k, -1}; p.large = new byte[k * 3];
                            if (!(p.large.length == k * 3 && p.numbers[0] == k)) throw new AssertionError();
                        });
                    }
                }
                public static void set(PHeap heap, Integer k, String name) { ((PHashMap<Integer, Part>) heap.root("parts")).get(k).name = name; }
                public static void raw(PHeap heap, Integer k, byte[] raw) { ((PHashMap<Integer, Part>) heap.root("parts")).get(k).raw = raw; }
                public static String text(PHeap heap) {
                    StringBuilder s = new StringBuilder();
                    PHashMap<Integer, Part> m = (PHashMap<Integer, Part>) heap.root("parts");
                    for (int i = 0; i < 100; i++) {
                        Part p = m.get(i);
                        s.append(p.flag + " " + p.n + " " + Arrays.toString(p.raw) + p.name + p.big + p.kind + Arrays.toString(p.numbers) + p.large.length + " "
                            + p.inherited + p.own + (p.next == null ? -1 : p.next.n) + "\\n");
                    }
                    return s.toString();
                }
                public static String one(PHeap heap, Integer k) { return text(heap).split("\\n")[k]; }
            }
            """;
    private static final String BASE = """
            package app; import dev.concord.persist.*;
            @Persistent(fa = "public") public class Base { public @Inline(7) String inherited; public boolean odd; }
            """;
    private static final String KIND = "package app; public enum Kind { EVEN, ODD }";
    @TempDir
    Path dir;

    private PHeap open(Version v, Durability d) {
        Thread.currentThread().setContextClassLoader(v);
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10).durability(d));
    }

    private Version version(String part) throws Exception {
        return new Version(dir, Map.of("app.Part", part, "app.Base", BASE, "app.Kind", KIND));
    }

    private String filled(Version v, Durability d) throws Throwable {
        try (PHeap heap = open(v, d)) {
            v.call("app.Part", "fill", heap);
            return (String) v.call("app.Part", "text", heap);
        }
    }

    private static void sound(PHeap heap) {
        assertTrue(heap.core().check().sound(), () -> heap.core().check().problems().toString());
        assertTrue(heap.core().check().unreachable().isEmpty(), () -> heap.core().check().unreachable().toString());
    }

    @Test
    void valuesAreStoredReplacedAndKept() throws Throwable {
        for (Durability d : new Durability[] {Durability.PROCESS, Durability.POWER}) {
            Version v = version(SOURCE);
            String before = filled(v, d);
            assertEquals("0 0 nullnullnullEVEN[0, -1]0 in0own0-1", before.split("\n")[0]);
            assertEquals("9 -9 [9, 2, 3]name99895604649984ODD[9, -1]27 in9own9-8", before.split("\n")[9]);
            try (PHeap heap = open(v, d)) {
                assertEquals(before, v.call("app.Part", "text", heap));
                heap.compact();
                assertEquals(before, v.call("app.Part", "text", heap));
                v.call("app.Part", "set", heap, 9, "\u0416\u0416\u0416\u0416\u0416\u0416");
                v.call("app.Part", "raw", heap, 9, new byte[] {1, 2, 3, 4, 5});
                String beyond = (String) v.call("app.Part", "one", heap, 9);
                assertTrue(beyond.startsWith("9 -9 [1, 2, 3, 4, 5]\u0416\u0416\u0416\u0416\u0416\u04169895604649984ODD"), beyond);
                v.call("app.Part", "set", heap, 9, "twelve-chars");
                v.call("app.Part", "raw", heap, 9, null);
                assertTrue(((String) v.call("app.Part", "one", heap, 9)).startsWith("9 -9 nulltwelve-chars9895604649984ODD"));
                v.call("app.Part", "set", heap, 9, "");
                assertTrue(((String) v.call("app.Part", "one", heap, 9)).startsWith("9 -9 null9895604649984ODD"));
                sound(heap);
            }
            java.nio.file.Files.delete(dir.resolve("h"));
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAndChangesNothing() throws Throwable {
        Version v = version(SOURCE);
        String before = filled(v, Durability.PROCESS);
        try (PHeap heap = open(v, Durability.PROCESS)) {
            PersistException e = assertThrows(PersistException.Misuse.class, () -> v.call("app.Part", "set", heap, 9, "thirteen-char"));
            assertTrue(e.getMessage().contains("14 bytes does not fit an inline field of app.Part with room for 13"), e.getMessage());
            assertThrows(PersistException.Misuse.class, () -> v.call("app.Part", "set", heap, 9, "\u0416123456"));
            assertThrows(PersistException.Misuse.class, () -> v.call("app.Part", "raw", heap, 9, new byte[6]));
            assertEquals(before, v.call("app.Part", "text", heap));
        }
    }

    @Test
    void aDumpShowsThem() throws Throwable {
        Version v = version(SOURCE);
        filled(v, Durability.PROCESS);
        try (PHeap heap = open(v, Durability.PROCESS)) {
            StringBuilder out = new StringBuilder();
            new Inspector(heap.core()).dump(out);
            String nine = out.toString().lines().filter(l -> l.contains("\"title\":\"name9\"")).findFirst().orElseThrow();
            assertTrue(nine.contains("\"inherited\":\"in9\"") && nine.contains("\"raw\":\"[9, 2, 3]\"") && nine.contains("\"big\":9895604649984")
                    && nine.contains("\"kind\":\"ODD\"") && nine.contains("\"own\":\"own9\""), nine);
        }
    }

    @Test
    void theyGetMoreRoomOrBecomeValuesOfTheirOwn() throws Throwable {
        String before = filled(version(SOURCE), Durability.PROCESS);
        String[] changes = {"@Inline(5) byte[] raw", "@Inline(1000) byte[] raw", "@Inline(12) String name", "CharSequence name", "@Inline(64) Kind kind", "Kind kind",
            "@Inline(300) byte[] large", "byte[] large"};
        String changed = SOURCE;
        for (int i = 0; i < changes.length; i += 2) {
            assertTrue(changed.contains(changes[i]));
            changed = changed.replace(changes[i], changes[i + 1]);
        }
        Version v2 = version(changed);
        try (PHeap heap = open(v2, Durability.PROCESS)) {
            assertEquals(Map.of("app.Part", 100L), heap.recovery().migrated());
            assertEquals(before, v2.call("app.Part", "text", heap));
            sound(heap);
        }
    }

    @Test
    void whatMightNotFitIsNotCarriedOver() throws Throwable {
        String before = filled(version(SOURCE), Durability.PROCESS);
        String[][] changes = {{"@Inline(12) String name", "@Inline(11) String name", "field title was java.lang.String of at most 12 bytes and is java.lang.String of at most 11"},
            {"String own", "@Inline(100) String own", "field own was java.lang.String and is java.lang.String of at most 100 bytes"},
            {"@Inline(5) byte[] raw", "@Inline(5) String raw", "field raw was byte[] of at most 5 bytes and is java.lang.String of at most 5 bytes"}};
        for (String[] c : changes) {
            assertTrue(SOURCE.contains(c[0]));
            Version v2 = version(SOURCE.replace(c[0], c[1]).replace("p.raw = new byte[] {(byte) k, 2, 3};", "").replace("get(k).raw = raw", "get(k)")
                    .replace("((PHashMap<Integer, Part>) heap.root(\"parts\")).get(k); }", "}").replace("Arrays.toString(p.raw)", "p.raw"));
            PersistException e = assertThrows(PersistException.Incompatible.class, () -> open(v2, Durability.PROCESS));
            assertTrue(e.getMessage().contains(c[2]), e.getMessage());
        }
        Version methodical = version(SOURCE.replace("String own", "@Inline(100) String own").replace("public static void fill",
                "@Migrate void from(OldObject old) { own = old.getString(\"own\"); name = old.getString(\"title\"); } public static void fill"));
        try (PHeap heap = open(methodical, Durability.PROCESS)) {
            assertEquals(before, methodical.call("app.Part", "text", heap));
            sound(heap);
        }
    }

    @Test
    void onlyValuesOfSomeSizeCanBeInline() {
        String[][] wrong = {{"@Inline(8) Part x", "only an immutable value can be @Inline"}, {"@Inline(8) Object x", "only an immutable value can be @Inline"},
            {"@Inline(8) long x", "only an immutable value can be @Inline"}, {"@Inline(0) String x", "is not within 1 to 32767"},
            {"@Inline(40000) String x", "is not within 1 to 32767"}};
        for (String[] w : wrong) {
            WeaveException e = assertThrows(WeaveException.class, () -> version(SOURCE.replace("public byte flag;", "public byte flag; public " + w[0] + ";")));
            assertTrue(e.getMessage().contains("app.Part.x: ") && e.getMessage().contains(w[1]), e.getMessage());
        }
    }
}
