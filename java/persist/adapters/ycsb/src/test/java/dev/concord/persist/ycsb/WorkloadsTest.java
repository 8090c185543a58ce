package dev.concord.persist.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.concord.persist.Durability;
import dev.concord.persist.PHeap;
import dev.concord.persist.PHeapOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;
import site.ycsb.workloads.CoreWorkload;

/** The core workloads A to F with YCSB's own generator, its data checked as it reads it. */
class WorkloadsTest {
    @TempDir
    Path dir;

    /** What YCSB counted of results that are not OK. */
    private static String wrong() throws Exception {
        StringBuilder s = new StringBuilder();
        Measurements.getMeasurements().exportMeasurements(new MeasurementsExporter() {
            private void note(String metric, String what, double n) {
                if (what.startsWith("Return=") && !what.equals("Return=OK")) {
                    s.append(metric).append(' ').append(what).append(' ').append(n).append('\n');
                }
            }

            @Override
            public void write(String metric, String what, int n) {
                note(metric, what, n);
            }

            @Override
            public void write(String metric, String what, long n) {
                note(metric, what, n);
            }

            @Override
            public void write(String metric, String what, double n) {
                note(metric, what, n);
            }

            @Override
            public void close() {
                // nothing to release
            }
        });
        return s.toString();
    }

    private Properties properties(String... more) {
        Properties p = new Properties();
        p.setProperty("jnvm.file", dir.resolve("h").toString());
        p.setProperty("jnvm.durability", "PROCESS");
        p.setProperty("recordcount", "300");
        p.setProperty("operationcount", "500");
        p.setProperty("dataintegrity", "true");
        p.setProperty("fieldlengthdistribution", "constant");
        for (int i = 0; i < more.length; i += 2) {
            p.setProperty(more[i], more[i + 1]);
        }
        return p;
    }

    @ParameterizedTest
    @CsvSource({"A,0.5,0.5,0,0,0,zipfian", "B,0.95,0.05,0,0,0,zipfian", "C,1,0,0,0,0,zipfian", "D,0.95,0,0.05,0,0,latest", "E,0,0,0.05,0.95,0,zipfian",
        "F,0.5,0,0,0,0.5,zipfian"})
    void coreWorkload(String name, String read, String update, String insert, String scan, String rmw, String distribution) throws Exception {
        Properties p = properties("readproportion", read, "updateproportion", update, "insertproportion", insert, "scanproportion", scan,
                "readmodifywriteproportion", rmw, "requestdistribution", distribution, "maxscanlength", "20");
        Measurements.setProperties(p);
        Workload w = new CoreWorkload();
        w.init(p);
        DB db = new PersistClient();
        db.setProperties(p);
        db.init();
        Object thread = w.initThread(p, 0, 1);
        for (int i = 0; i < 300; i++) {
            assertTrue(w.doInsert(db, thread));
        }
        for (int i = 0; i < 500; i++) {
            assertTrue(w.doTransaction(db, thread), "operation " + i + " of workload " + name);
        }
        db.cleanup();
        w.cleanup();
        assertEquals("", wrong(), "operations that failed or read something else than was written");
        try (PHeap h = PHeap.open(dir.resolve("h"), PHeapOptions.defaults().durability(Durability.PROCESS))) {
            assertTrue(h.core().check().sound());
            assertTrue(h.core().check().unreachable().isEmpty(), () -> h.core().check().unreachable().toString());
        }
    }

    @Test
    void everyOperationDoesWhatItSays() throws Exception {
        DB db = new PersistClient();
        db.setProperties(properties());
        db.init();
        Map<String, ByteIterator> v = new HashMap<>();
        v.put("a", new StringByteIterator("1"));
        v.put("b", new StringByteIterator("2"));
        assertEquals(Status.OK, db.insert("t", "k1", v));
        assertEquals(Status.OK, db.insert("t", "k2", Map.of("a", new StringByteIterator("3"))));
        assertEquals(Status.OK, db.update("t", "k1", Map.of("b", new StringByteIterator("4"))));
        assertEquals(Status.NOT_FOUND, db.update("t", "k9", Map.of("b", new StringByteIterator("4"))));
        db.cleanup();
        db.init();
        Map<String, ByteIterator> r = new HashMap<>();
        assertEquals(Status.OK, db.read("t", "k1", null, r));
        assertEquals("{a=1, b=4}", r.toString());
        Vector<HashMap<String, ByteIterator>> all = new Vector<>();
        assertEquals(Status.OK, db.scan("t", "k0", 10, Set.of("a"), all));
        assertEquals("[{a=1}, {a=3}]", all.toString());
        assertEquals(Status.OK, db.delete("t", "k1"));
        assertEquals(Status.NOT_FOUND, db.delete("t", "k1"));
        assertEquals(Status.NOT_FOUND, db.read("t", "k1", null, r));
        db.cleanup();
    }
}
