package dev.concord.persist.weaver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import dev.concord.persist.PersistException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods that migrate objects look others up, which are migrated in the same pass. */
class MigrateLookupTest {
    private static final String IMPORTS = "package app; import dev.concord.persist.*; import dev.concord.persist.collections.*; import java.util.*; ";
    /** Makes an object outgrow its place. */
    private static final String WIDER = "public long w1 = 1, w2, w3, w4, w5, w6, w7, w8; ";
    @TempDir
    Path dir;

    private Version version(String... sources) throws Exception {
        Map<String, String> m = new HashMap<>();
        for (String s : sources) {
            m.put("app." + s.replaceAll("(?s).*?public class (\\w+).*", "$1"), s);
        }
        return new Version(dir, m);
    }

    private static String type(String name, String body) {
        return IMPORTS + "@Persistent(fa = \"public\") public class " + name + " { " + body + " }";
    }

    private PHeap open(Version v) {
        Thread.currentThread().setContextClassLoader(v);
        return PHeap.open(dir.resolve("h"), PHeapOptions.defaults().segmentSize(1 << 22).logSize(1 << 22).durability(Durability.PROCESS));
    }

    private void fill(Version v, String type) throws Throwable {
        Files.deleteIfExists(dir.resolve("h"));
        try (PHeap heap = open(v)) {
            v.call("app." + type, "fill", heap);
        }
    }

    private static void sound(PHeap heap) {
        assertTrue(heap.core().check().sound(), () -> heap.core().check().problems().toString());
        assertTrue(heap.core().check().unreachable().isEmpty(), () -> heap.core().check().unreachable().toString());
    }

    /** Opens the heap by a changed program and tells what a method of it says, twice. */
    private String migrated(Version v, String type, Map<String, Long> counts) throws Throwable {
        String said;
        try (PHeap heap = open(v)) {
            assertEquals(counts, heap.recovery().migrated());
            said = (String) v.call("app." + type, "text", heap);
            sound(heap);
        }
        try (PHeap heap = open(v)) {
            assertEquals(Map.of(), heap.recovery().migrated());
            assertEquals(said, v.call("app." + type, "text", heap));
        }
        return said;
    }

    @ParameterizedTest(name = "orders first {0}, wider order {1}, wider item {2}")
    @CsvSource({"true,false,false", "true,true,true", "true,false,true", "true,true,false", "false,true,true", "false,false,false"})
    void byReference(boolean first, boolean widerOrder, boolean widerItem) throws Throwable {
        String make = first ? "Order o = new Order(); Item i = new Item();" : "Item i = new Item(); Order o = new Order();";
        String order = type("Order", "FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { PArray<Order> all = new PArray<>(50);"
                + "for (int k = 0; k < 50; k++) { " + make + " i.price = k; o.item = i; o.me = o; i.order = o; all.set(k, o); } heap.bindRoot(\"all\", all); }); } ");
        String item = type("Item", "public Order order; FIELD");
        fill(version(order.replace("FIELDS", "public Item item; public Order me;"), item.replace("FIELD", "public int price;")), "Order");
        Version v2 = version(order.replace("FIELDS", (widerOrder ? WIDER : "") + "public Item item; public String sum; public Order me;"
                + "@Migrate void from(OldObject old) { Item i = (Item) old.get(\"item\");"
                + " sum = i.price + \" \" + i.tax + (i == item) + (old.get(\"me\") == this) + (me == this); i.seen = true; }"
                + "public static String text(PHeap heap) { String s = \"\"; PArray<Order> a = (PArray<Order>) heap.root(\"all\");"
                + " for (int k = 0; k < 50; k++) { Order o = a.get(k); s += o.sum + o.item.seen + (o.item.order == o) + \"\\n\"; } return s; }").replace("i.price = k;", ""),
                item.replace("FIELD", (widerItem ? WIDER : "") + "public String price, tax; public boolean seen;"
                        + "@Migrate void from(OldObject old) { price = old.get(\"price\") + \" EUR\"; tax = old.getLong(\"price\") * 2 + \" %\"; }"));
        StringBuilder expected = new StringBuilder();
        for (int k = 0; k < 50; k++) {
            expected.append(k).append(" EUR ").append(2 * k).append(" %truetruetruetruetrue\n");
        }
        assertEquals(expected.toString(), migrated(v2, "Order", Map.of("app.Order", 50L, "app.Item", 50L)));
    }

    private static final String[] COLLECTIONS = {"PHashMap<Integer, Item> c = new PHashMap<>()", "PHashMap<Integer, Item> c = new PHashMap<>(MirrorMap.Caching.EAGER)",
        "PSkipListMap<Integer, Item> c = new PSkipListMap<>()", "PTreeMap<Integer, Item> c = new PTreeMap<>()", "PIndexMap<Integer, Item> c = new PIndexMap<>()",
        "PArrayList<Item> c = new PArrayList<>()", "PHashSet<Item> c = new PHashSet<>()", "PQueue<Item> c = new PQueue<>()"};

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void throughACollection(int which) throws Throwable {
        int n = 3000;
        String declared = COLLECTIONS[which].replace("MirrorMap", "PHashMap");
        boolean map = declared.startsWith("PHashMap") || declared.contains("Map<");
        String field = declared.replaceAll(" c = .*", " c;");
        // The shop comes before its items in the heap, and between them.
        String shop = type("Shop", "public " + field + " public static int runs; FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { Shop s = new Shop(); " + declared
                + "; s.c = c; heap.bindRoot(\"shop\", s); }); Shop s = (Shop) heap.root(\"shop\"); for (int k = 0; k < N; k++) { int j = k * 7919 % N; heap.atomic(() -> {"
                + " Item i = new Item(); i.price = j; " + (map ? "s.c.put(j, i)" : "s.c.add(i)") + "; }); } }").replace("N;", n + ";").replace("% N", "% " + n);
        String item = type("Item", "FIELDS");
        fill(version(shop.replace("FIELDS", ""), item.replace("FIELDS", "public int price;")), "Shop");
        for (boolean wider : new boolean[] {false, true}) {
            byte[] before = Files.readAllBytes(dir.resolve("h"));
            String w = wider ? WIDER : "";
            Version v2 = version(shop.replace("FIELDS", w + "public String sum; @Migrate void from(OldObject old) { runs++; long s = 0; int n = 0;"
                    + " for (Item i : " + (map ? "c.values()" : "c") + ") { s += Long.parseLong(i.text); n++; } sum = n + \" \" + s; }"
                    + "public static String text(PHeap heap) { Shop s = (Shop) heap.root(\"shop\"); return s.sum + \" \" + s.c.size(); }").replace("i.price = j;", ""),
                    item.replace("FIELDS", w + "public String text; @Migrate void from(OldObject old) { text = \"\" + old.get(\"price\"); }"));
            assertEquals(n + " " + (long) n * (n - 1) / 2 + " " + n, migrated(v2, "Shop", Map.of("app.Shop", 1L, "app.Item", (long) n)));
            int runs = v2.loadClass("app.Shop").getField("runs").getInt(null);
            assertTrue(runs > 1 && runs < 20, runs + " runs");
            Files.write(dir.resolve("h"), before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ABC", "CBA", "BAC"})
    void aChainOfThree(String order) throws Throwable {
        String link = "LINK FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { MAKE a.next = b; b.next = c; c.n = 5; heap.bindRoot(\"a\", a); }); }";
        StringBuilder make = new StringBuilder();
        for (char c : order.toCharArray()) {
            make.append(c).append(' ').append(Character.toLowerCase(c)).append(" = new ").append(c).append("(); ");
        }
        String a = type("A", link.replace("LINK", "public B next;").replace("MAKE", make));
        String b = type("B", "public C next; FIELDS");
        String c = type("C", "FIELDS");
        fill(version(a.replace("FIELDS", "public int n;"), b.replace("FIELDS", "public int n;"), c.replace("FIELDS", "public int n;")), "A");
        String asks = "public String n; @Migrate void from(OldObject old) { n = \"[\" + next.n + \"]\"; }";
        Version v2 = version(a.replace("FIELDS", asks + "public static String text(PHeap heap) { return ((A) heap.root(\"a\")).n; }").replace("c.n = 5;", ""),
                b.replace("FIELDS", WIDER + asks), c.replace("FIELDS", "public String n; @Migrate void from(OldObject old) { n = \"five\" + old.get(\"n\"); }"));
        assertEquals("[[five5]]", migrated(v2, "A", Map.of("app.A", 1L, "app.B", 1L, "app.C", 1L)));
    }

    @Test
    void aCircleIsRefusedByBothClassesAndLosesNothing() throws Throwable {
        String a = type("A", "public B b; FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { A a = new A(); B b = new B(); C c = new C(); a.b = b; b.a = a; b.c = c;"
                + " heap.bindRoot(\"a\", a); }); } public static String text(PHeap heap) { A a = (A) heap.root(\"a\"); return a.n + \" \" + a.b.n + \" \" + a.b.c.n; }");
        String b = type("B", "public A a; public C c; FIELDS");
        String c = type("C", "FIELDS");
        Version v1 = version(a.replace("FIELDS", "public int n = 1;"), b.replace("FIELDS", "public int n = 2;"), c.replace("FIELDS", "public int n = 3;"));
        fill(v1, "A");
        String method = "public String n; @Migrate void from(OldObject old) { n = \"v\" + old.get(\"n\"); LOOK }";
        Version circle = version(a.replace("FIELDS", WIDER + method.replace("LOOK", "n += b.n;")), b.replace("FIELDS", method.replace("LOOK", "n += c.n + a.n;")),
                c.replace("FIELDS", method.replace("LOOK", "")));
        PersistException e = assertThrows(PersistException.Incompatible.class, () -> open(circle));
        assertTrue(e.getMessage().matches(".*app\\.([AB])\\.from at offset \\d+ needs app\\.[AB]\\.from at offset \\d+ needs app\\.\\1\\.from at offset.*"), e.getMessage());
        Version straight = version(a.replace("FIELDS", WIDER + method.replace("LOOK", "n += b.n;")), b.replace("FIELDS", method.replace("LOOK", "n += c.n;")),
                c.replace("FIELDS", method.replace("LOOK", "")));
        try (PHeap heap = open(straight)) {
            assertEquals("v1v2v3 v2v3 v3", straight.call("app.A", "text", heap));
            sound(heap);
        }
        // Back to numbers, by a method that looks nothing up.
        Version back = version(a.replace("FIELDS", "public int n; @Migrate void from(OldObject old) { n = 10; }"),
                b.replace("FIELDS", "public int n; @Migrate void from(OldObject old) { n = 20; }"), c.replace("FIELDS", "public int n; @Migrate void from(OldObject old) { n = 30; }"));
        assertEquals("10 20 30", migrated(back, "A", Map.of("app.A", 1L, "app.B", 1L, "app.C", 1L)));
    }

    private static final String NODE = type("Node", "public Node next; FIELDS public static void fill(PHeap heap) { Node[] last = new Node[2]; for (int k = 0; k < 100; k++) heap.atomic(() -> {"
            + " for (int i = 0; i < 1000; i++) { Node x = new Node(); LINK last[1] = x; } if (heap.root(\"top\") == null || BACK) heap.bindRoot(\"top\", last[1]); }); }"
            + "public static String text(PHeap heap) { String s = \"\"; int n = 0; for (Node x = (Node) heap.root(\"top\"); x != null; x = x.next) if (n++ % 9999 == 0) s += x.TEXT + \" \";"
            + " return s + n; }");

    @ParameterizedTest(name = "last first {0}, wider {1}")
    @CsvSource({"true,true", "true,false", "false,true"})
    void aChainOfAHundredThousand(boolean deep, boolean wider) throws Throwable {
        // Deep: each node needs the one after it in the heap, so that the first to be migrated needs all of them.
        String link = deep ? "if (last[1] != null) last[1].next = x; else last[0] = x;" : "x.next = last[1];";
        String node = NODE.replace("LINK", link).replace("BACK", String.valueOf(!deep)).replace("heap.bindRoot(\"top\", last[1])", "heap.bindRoot(\"top\", last[" + (deep ? 0 : 1) + "])");
        fill(version(node.replace("FIELDS", "public int n;").replace("TEXT", "n")), "Node");
        Version v2 = version(node.replace("FIELDS", (wider ? WIDER : "") + "public String n; public static int runs;"
                + "@Migrate void from(OldObject old) { runs++; Node x = (Node) old.get(\"next\"); n = x == null ? \"1\" : 1 + Integer.parseInt(x.n) + \"\"; }").replace("TEXT", "n"));
        StringBuilder expected = new StringBuilder();
        for (int n = 100_000; n > 0; n -= 9999) {
            expected.append(n).append(' ');
        }
        assertEquals(expected + "100000", migrated(v2, "Node", Map.of("app.Node", 100_000L)));
        assertTrue(v2.loadClass("app.Node").getField("runs").getInt(null) <= 200_000);
    }

    @Test
    void whatAGivenUpRunDidIsUndoneAndWhatItCaughtComesAgain() throws Throwable {
        String top = type("Top", "public Part part; public PArrayList<String> log; FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { Top t = new Top(); t.part = new Part();"
                + " t.log = new PArrayList<>(); t.part.log = t.log; t.part.n = 4; heap.bindRoot(\"top\", t); }); }"
                + "public static String text(PHeap heap) { Top t = (Top) heap.root(\"top\"); return t.s + \" \" + t.log; }");
        String part = type("Part", "public PArrayList<String> log; FIELDS");
        Version v1 = version(top.replace("FIELDS", "public int s;"), part.replace("FIELDS", "public int n;"));
        String[] methods = {"log.add(\"top\"); try { s = \"\" + part.n; } catch (RuntimeException e) { s = \"missed\"; }",
            "log.add(\"top\"); try { ask(); } catch (RuntimeException e) { throw new IllegalStateException(e); } } public void ask() { s = \"\" + part.n;"};
        for (String m : methods) {
            fill(v1, "Top");
            Version v2 = version(top.replace("t.part.n = 4;", "").replace("FIELDS", WIDER + "public String s; @Migrate void from(OldObject old) { " + m + " }"),
                    part.replace("FIELDS", "public String n; @Migrate void from(OldObject old) { n = \"four\"; log.add(\"part\"); }"));
            assertEquals("four [part, top]", migrated(v2, "Top", Map.of("app.Top", 1L, "app.Part", 1L)));
        }
    }

    @Test
    void whoNeedsOneThatWaitsIsNotMigratedAheadOfIt() throws Throwable {
        // The configuration needs many, and while it waits others are tried, of which the accounts need it, a row of them through each other.
        String config = type("Config", "public PArrayList<Setting> settings; FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { Config c = new Config(); Bank b = new Bank();"
                + " c.settings = new PArrayList<>(); b.config = c; b.accounts = new PArrayList<>(); heap.bindRoot(\"bank\", b); Account last = null;"
                + " for (int k = 0; k < 3000; k++) { Account a = new Account(); a.config = c; if (k % 3 == 0) { if (last != null) last.next = a; last = a; } b.accounts.add(a);"
                + " if (k % 50 == 0) c.settings.add(new Setting()); } }); }");
        String setting = type("Setting", "FIELDS");
        String account = type("Account", "public Config config; public Account next; FIELDS");
        String bank = type("Bank", "public Config config; public PArrayList<Account> accounts; FIELDS public static String text(PHeap heap) { return \"\" + ((Bank) heap.root(\"bank\")).n; }");
        String old = "public int n = 1;";
        fill(version(config.replace("FIELDS", old), setting.replace("FIELDS", old), account.replace("FIELDS", old), bank.replace("FIELDS", old)), "Config");
        String method = "public String n; public static int runs; public int value() { return Integer.parseInt(n); } @Migrate void from(OldObject old) { runs++; int s = 0; SUM n = \"\" + s; }";
        Version v2 = version(config.replace("FIELDS", method.replace("SUM", "for (Setting x : settings) s += x.value();")), setting.replace("FIELDS", method.replace("SUM", "s = 1;")),
                account.replace("FIELDS", WIDER + method.replace("SUM", "s = next == null ? config.value() : next.value() + 1;")),
                bank.replace("FIELDS", method.replace("SUM", "for (Account a : accounts) s += a.value() - config.value();")));
        long sum = 0;
        for (int k = 0; k < 1000; k++) {
            sum += k;
        }
        assertEquals(String.valueOf(sum), migrated(v2, "Bank", Map.of("app.Config", 1L, "app.Setting", 60L, "app.Account", 3000L, "app.Bank", 1L)));
        for (String c : new String[] {"Config", "Account", "Bank"}) {
            int runs = v2.loadClass("app." + c).getField("runs").getInt(null);
            assertTrue(runs < (c.equals("Account") ? 10_000 : 30), runs + " runs of " + c);
        }
    }

    @Test
    void aCircleAmongManyIsNamed() throws Throwable {
        String shop = type("Shop", "public PArrayList<Item> items; FIELDS public static void fill(PHeap heap) { heap.atomic(() -> { Shop s = new Shop(); s.items = new PArrayList<>();"
                + " for (int k = 0; k < 200; k++) { Item i = new Item(); i.n = k; i.shop = s; s.items.add(i); } heap.bindRoot(\"shop\", s); }); }");
        String item = type("Item", "public Shop shop; FIELDS");
        fill(version(shop.replace("FIELDS", "public int n;"), item.replace("FIELDS", "public int n;")), "Shop");
        Version v2 = version(shop.replace("i.n = k;", "").replace("FIELDS", "public String n; @Migrate void sum(OldObject old) { for (Item i : items) n = i.n; }"),
                item.replace("FIELDS", "public String n; @Migrate void ask(OldObject old) { n = old.getLong(\"n\") == 199 ? shop.n : \"\"; }"));
        PersistException e = assertThrows(PersistException.Incompatible.class, () -> open(v2));
        assertTrue(e.getMessage().contains("app.Shop.sum at offset") && e.getMessage().contains(" needs app.Item.ask at offset"), e.getMessage());
    }
}
