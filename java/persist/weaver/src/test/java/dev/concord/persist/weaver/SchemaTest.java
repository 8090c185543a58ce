package dev.concord.persist.weaver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class changes between two openings of one heap; the program's two versions are compiled and woven here. */
class SchemaTest {
    private static final String IMPORTS = "package app; import dev.concord.persist.*; import dev.concord.persist.collections.*; import java.util.*; ";
    private static final String OLD = IMPORTS + """
            @Persistent(fa = "public") public class Account {
                public short number; public int cents; public float rate; public char kind; public Integer limit; public String owner; public String note;
                public Account next; public boolean open;
                public static void fill(PHeap heap) {
                    PHashMap<String, Account> m = heap.root("accounts", PHashMap.class, PHashMap::new);
                    Account[] last = new Account[1];
                    for (int i = 0; i < 300; i++) {
                        int k = i;
                        heap.atomic(() -> {
                            Account a = new Account();
                            a.number = (short) -k; a.cents = 100 * k; a.rate = k / 4f; a.kind = (char) ('a' + k % 26); a.limit = k % 3 == 0 ? null : k;
                            a.owner = "owner " + k; a.note = "note " + k; a.next = last[0]; a.open = k % 2 == 0;
                            m.put("a" + k, a); last[0] = a;
                        });
                    }
                }
                public static String text(PHeap heap) {
                    StringBuilder s = new StringBuilder();
                    PHashMap<String, Account> m = (PHashMap<String, Account>) heap.root("accounts");
                    for (int i = 0; i < 300; i++) {
                        Account a = m.get("a" + i);
                        s.append(a.number + " " + a.cents + " " + a.rate + " " + a.kind + " " + a.limit + " " + a.owner + " " + a.open + " "
                            + (a.next == null ? -1 : a.next.number) + "\\n");
                    }
                    return s.toString();
                }
            }
            """;
    @TempDir
    Path dir;

    private Version version(String... sources) throws Exception {
        Map<String, String> m = new java.util.HashMap<>();
        for (String s : sources) {
            String name = s.replaceAll("(?s).*?public (?:class|interface|enum|record) (\\w+).*", "$1");
            m.put("app." + name, s);
        }
        return new Version(dir, m);
    }

    private PHeap open(Version v, Class<?>... classes) {
        Thread.currentThread().setContextClassLoader(v);
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 20).logSize(256 << 10).durability(Durability.PROCESS).classes(classes));
    }

    private String filled() throws Throwable {
        Version v1 = version(OLD);
        try (PHeap heap = open(v1)) {
            v1.call("app.Account", "fill", heap);
            return (String) v1.call("app.Account", "text", heap);
        }
    }

    private static void sound(PHeap heap) {
        assertTrue(heap.core().check().sound(), () -> heap.core().check().problems().toString());
        assertTrue(heap.core().check().unreachable().isEmpty(), () -> heap.core().check().unreachable().toString());
    }

    @Test
    void fieldsAreAddedRemovedWidenedAndReordered() throws Throwable {
        String before = filled();
        // Wider: every account outgrows its place and moves, with the references in the map and in its neighbour.
        Version v2 = version(OLD.replace("public short number; public int cents; public float rate; public char kind; public Integer limit; public String owner; public String note;",
                "public Object limit; public String added = \"x\"; public long cents; public int number; public double rate; public int kind; public Long a1; public long a2;"
                        + " public long a3 = 5; public long a4; public double a5; public CharSequence owner;").replace("+ a.kind +", "+ (char) a.kind +")
                .replace("a.kind = (char) ('a' + k % 26)", "a.kind = 'a'").replace("a.note = \"note \" + k;", ""));
        try (PHeap heap = open(v2)) {
            assertEquals(Map.of("app.Account", 300L), heap.recovery().migrated());
            assertEquals(before, v2.call("app.Account", "text", heap));
            sound(heap);
        }
        try (PHeap heap = open(v2)) {
            assertEquals(Map.of(), heap.recovery().migrated());
            assertEquals(before, v2.call("app.Account", "text", heap));
        }
    }

    @Test
    void aSmallerClassStaysInPlaceAndBoxesWiden() throws Throwable {
        String before = filled();
        Version v2 = version(OLD.replace("public Integer limit;", "public Long limit;").replace("a.limit = k % 3 == 0 ? null : k;", "").replace("public String note;", "")
                .replace("a.note = \"note \" + k;", "").replace("public int cents;", "public Integer cents;"));
        try (PHeap heap = open(v2)) {
            assertEquals(before, v2.call("app.Account", "text", heap));
            sound(heap);
        }
    }

    @Test
    void referencesOfAnyDirectionFollowObjectsThatMoveAndFieldsThatChangePlaces() throws Throwable {
        String graph = IMPORTS + """
            @Persistent(fa = "public") public class Node {
                public Node next; public Node previous; public Node self; public int n; public Node odd;
                public static void fill(PHeap heap) {
                    heap.atomic(() -> {
                        PArray<Node> all = new PArray<>(200);
                        for (int i = 0; i < 200; i++) { Node x = new Node(); x.n = i; x.self = x; all.set(i, x); }
                        for (int i = 0; i < 200; i++) {
                            Node x = all.get(i); x.next = all.get((i + 1) % 200); x.previous = all.get((i + 199) % 200); x.odd = all.get(i * 7 % 200);
                        }
                        heap.bindRoot("all", all);
                    });
                }
                public static String text(PHeap heap) {
                    StringBuilder s = new StringBuilder();
                    PArray<Node> all = (PArray<Node>) heap.root("all");
                    for (int i = 0; i < 200; i++) {
                        Node x = all.get(i);
                        s.append(x.n + " " + x.next.n + " " + x.previous.n + " " + x.self.n + " " + x.odd.n + (x.self == x) + "\\n");
                    }
                    return s.toString();
                }
            }
            """;
        String wider = "public long a; public Node odd; public long b = 1; public long n; public Node next; public String c; public Node self; public long d; public Node previous;";
        String fields = "public Node next; public Node previous; public Node self; public int n; public Node odd;";
        String[] versions = {graph.replace(fields, wider), graph.replace(fields, "public Node previous; public Node odd; public int n; public Node next; public Node self;"),
            graph.replace(fields, "@Migrate void from(OldObject old) { n = old.getLong(\"n\"); a = n; } " + wider)};
        for (String changed : versions) {
            Version v1 = version(graph);
            String before;
            try (PHeap heap = open(v1)) {
                v1.call("app.Node", "fill", heap);
                before = (String) v1.call("app.Node", "text", heap);
            }
            Version v2 = version(changed);
            try (PHeap heap = open(v2)) {
                assertEquals(Map.of("app.Node", 200L), heap.recovery().migrated());
                assertEquals(before, v2.call("app.Node", "text", heap));
                sound(heap);
            }
            java.nio.file.Files.delete(dir.resolve("h"));
        }
    }

    @Test
    void fieldsAndClassesAreRenamedById() throws Throwable {
        String before = filled();
        String renamed = OLD.replace("@Persistent(fa = \"public\") public class Account", "@Persistent(fa = \"public\", id = \"app.Account\") public class Konto")
                .replaceAll("\\bAccount\\b(?!\")", "Konto").replace("public int cents;", "@FieldId(\"cents\") public int pfennige;").replace("a.cents", "a.pfennige")
                .replace("public Konto next;", "@FieldId(\"next\") public Konto naechstes;").replace("a.next", "a.naechstes");
        Version v2 = version(renamed.replace("id = \"app.Konto\"", "id = \"app.Account\""));
        Class<?> konto = v2.loadClass("app.Konto");
        try (PHeap heap = open(v2, konto)) {
            assertEquals(before, v2.call("app.Konto", "text", heap));
            sound(heap);
        }
        try (PHeap heap = open(v2, konto)) {
            assertEquals(Map.of(), heap.recovery().migrated());
            assertEquals(before, v2.call("app.Konto", "text", heap));
        }
    }

    @Test
    void whatCannotBeCarriedIsRefusedByClassFieldAndTypes() throws Throwable {
        String before = filled();
        String[][] changes = {{"public int cents;", "public short cents;", "a.cents = 100 * k;", "field cents was int and is short"},
            {"public String owner;", "public int owner;", "a.owner = \"owner \" + k;", "field owner was java.lang.String and is int"},
            {"public Account next;", "public PByteArray next;", "a.next = last[0];", "field next was app.Account and is dev.concord.persist.collections.PByteArray"},
            {"public boolean open;", "public int open;", "a.open = k % 2 == 0;", "field open was boolean and is int"}};
        for (String[] c : changes) {
            Version v2 = version(OLD.replace(c[0], c[1]).replace(c[2], "").replace("a.next.number", "0"));
            PersistException e = assertThrows(PersistException.Incompatible.class, () -> open(v2));
            assertTrue(e.getMessage().contains("class app.Account") && e.getMessage().contains(c[3]), e.getMessage());
        }
        Version v1 = version(OLD);
        try (PHeap heap = open(v1)) {
            assertEquals(before, v1.call("app.Account", "text", heap));
            assertEquals(Map.of(), heap.recovery().migrated());
        }
    }

    @Test
    void aMethodMigratesWhatNoRuleCan() throws Throwable {
        filled();
        Version v2 = version(IMPORTS + """
            @Persistent(fa = "public") public class Account {
                public String owner; public String sum; public PArrayList<String> notes; public Account next; public long extra;
                @Migrate void from(OldObject old) {
                    sum = old.getLong("cents") + " cents at " + old.get("rate");
                    notes = new PArrayList<>();
                    notes.add(old.getString("note"));
                    if (old.has("sum")) throw new IllegalStateException();
                }
                public static String text(PHeap heap) {
                    PHashMap<String, Account> m = (PHashMap<String, Account>) heap.root("accounts");
                    Account a = m.get("a7");
                    return a.owner + ": " + a.sum + " " + a.notes + " " + a.next.owner + " " + m.size();
                }
            }
            """);
        try (PHeap heap = open(v2)) {
            assertEquals("owner 7: 700 cents at 1.75 [note 7] owner 6 300", v2.call("app.Account", "text", heap));
            sound(heap);
        }
        Version failing = version(OLD.replace("public int cents;", "public String cents;").replace("a.cents = 100 * k;", "")
                .replace("public static void fill", "@Migrate public void bad(OldObject old) { throw new IllegalStateException(\"no\"); } public static void fill"));
        PersistException e = assertThrows(PersistException.class, () -> open(failing));
        assertTrue(e.getMessage().contains("app.Account.bad failed for the object at offset"), e.getMessage());
        try (PHeap heap = open(v2)) {
            assertEquals("owner 7: 700 cents at 1.75 [note 7] owner 6 300", v2.call("app.Account", "text", heap));
            assertFalse(heap.recovery().migrated().isEmpty());
        }
    }

    @Test
    void referencesThatAMethodShiftsFollowObjectsThatMoveLater() throws Throwable {
        // More than one pass over the heap is worth: the list shifts every element for each one that is added.
        int n = 600;
        String member = IMPORTS + """
            @Persistent(fa = "public") public class Member {
                public int n; public Member friend; public PTreeMap<Integer, Member> tree; public PArrayList<Member> list; public PArrayList<String> log;
                public static void fill(PHeap heap) {
                    PTreeMap<Integer, Member> m = heap.root("tree", PTreeMap.class, PTreeMap::new);
                    PArrayList<Member> l = heap.root("list", PArrayList.class, PArrayList::new);
                    PArray<Member> a = heap.root("array", PArray.class, () -> new PArray<>(COUNT));
                    PArrayList<String> g = heap.root("log", PArrayList.class, PArrayList::new);
                    for (int i = 0; i < COUNT; i++) {
                        int k = i;
                        heap.atomic(() -> { Member x = new Member(); x.n = k; m.put(k, x); l.add(x); a.set(k, x); x.friend = a.get(k / 2); x.tree = m; x.list = l; x.log = g; });
                    }
                }
                public static String text(PHeap heap) {
                    PTreeMap<Integer, Member> m = (PTreeMap<Integer, Member>) heap.root("tree");
                    PArrayList<Member> l = (PArrayList<Member>) heap.root("list");
                    PArray<Member> a = (PArray<Member>) heap.root("array");
                    Set<Integer> listed = new TreeSet<>(), mapped = new TreeSet<>();
                    for (Member x : l) listed.add(x.n);
                    for (Member x : m.values()) mapped.add(x.n);
                    StringBuilder s = new StringBuilder(listed.size() + " " + mapped.size() + " " + l.size() + " " + m.size());
                    for (int i = 0; i < COUNT; i++) s.append(" " + a.get(i).n + "," + a.get(i).friend.n);
                    return s.toString();
                }
            }
            """.replace("COUNT", String.valueOf(n));
        String shifts = """
                @Migrate void from(OldObject old) {
                    MOVES
                    log.add("migrated " + n);
                }
                public long wider, still, more, and, again, that, it, moves;
            """;
        String[] moves = {"tree.put(-1 - n, this); ", "list.add(0, this); ", "tree.put(-1 - n, this); tree.put(100000 + n, this); list.add(list.size() / 2, this); "};
        for (int i = 0; i < moves.length; i++) {
            Version v1 = version(member);
            String before;
            try (PHeap heap = open(v1)) {
                v1.call("app.Member", "fill", heap);
                before = (String) v1.call("app.Member", "text", heap);
            }
            Version v2 = version(member.replace("public int n;", "public int n; " + shifts.replace("MOVES", moves[i])));
            try (PHeap heap = open(v2)) {
                assertEquals(Map.of("app.Member", (long) n), heap.recovery().migrated());
                String added = n + " " + n + " " + (i > 0 ? 2 * n : n) + " " + (i == 0 ? 2 * n : i == 1 ? n : 3 * n);
                assertEquals(before.replaceFirst("\\d+ \\d+ \\d+ \\d+", added), v2.call("app.Member", "text", heap), moves[i]);
                sound(heap);
            }
            java.nio.file.Files.delete(dir.resolve("h"));
        }
    }

    @Test
    void objectsThatReferToEachOtherAreCarriedOverButCannotBothLookTheOtherUp() throws Throwable {
        String pair = IMPORTS + """
            @Persistent(fa = "public") public class Twin {
                public int n; public Twin other;
                public static void fill(PHeap heap) {
                    heap.atomic(() -> { Twin a = new Twin(), b = new Twin(); a.n = 1; b.n = 2; a.other = b; b.other = a; heap.bindRoot("a", a); });
                }
                public static String text(PHeap heap) { Twin a = (Twin) heap.root("a"); return a.n + " " + a.other.n + (a.other.other == a); }
            }
            """;
        Version v1 = version(pair);
        try (PHeap heap = open(v1)) {
            v1.call("app.Twin", "fill", heap);
        }
        String longer = "public int n; public long a, b, c, d, e, f, g; @Migrate void from(OldObject old) { LOOK } ";
        Version looks = version(pair.replace("public int n;", longer.replace("LOOK", "old.get(\"other\");")));
        PersistException e = assertThrows(PersistException.class, () -> open(looks));
        String why = e.getMessage();
        assertTrue(why.contains("app.Twin.from at offset") && why.contains(" needs app.Twin.from at offset") && why.contains("carried over"), why);
        Version carries = version(pair.replace("public int n;", longer.replace("LOOK", "")));
        try (PHeap heap = open(carries)) {
            assertEquals("1 2true", carries.call("app.Twin", "text", heap));
            sound(heap);
        }
    }

    @Test
    void recordsGainAndLoseComponentsAndEnumsMissConstantsByName() throws Throwable {
        String holder = IMPORTS + "@Persistent(fa = \"public\") public class Holder { public Point p; public Colour c;"
                + " public static void set(PHeap h) { Holder x = h.root(\"x\", Holder.class, Holder::new); x.p = new Point(1, \"one\"); x.c = Colour.RED; }"
                + " public static String point(PHeap h) { return ((Holder) h.root(\"x\")).p.toString(); }"
                + " public static String colour(PHeap h) { return ((Holder) h.root(\"x\")).c.toString(); } }";
        Version v1 = version(holder, IMPORTS + "public record Point(int x, String name) { }", IMPORTS + "public enum Colour { RED, GREEN }");
        try (PHeap heap = open(v1)) {
            v1.call("app.Holder", "set", heap);
        }
        Version v2 = version(holder.replace("x.p = new Point(1, \"one\");", "").replace("Colour.RED", "Colour.GREEN"),
                IMPORTS + "public record Point(double z, long x) { }", IMPORTS + "public enum Colour { GREEN }");
        try (PHeap heap = open(v2)) {
            assertEquals("Point[z=0.0, x=1]", v2.call("app.Holder", "point", heap));
            PersistException e = assertThrows(PersistException.Incompatible.class, () -> v2.call("app.Holder", "colour", heap));
            assertTrue(e.getMessage().contains("app.Colour has no constant RED"), e.getMessage());
        }
    }
}
