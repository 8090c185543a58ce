package dev.concord.persist.core;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads a heap for reports, by its class table alone: no Java class of the user's is needed. */
public final class Inspector {
    private final HeapCore heap;

    public Inspector(HeapCore heap) {
        this.heap = heap;
    }

    /** The file's identity and shape. */
    public Map<String, Object> info() {
        Superblock s = heap.engine.superblock;
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("file", heap.name());
        m.put("format", s.version);
        m.put("uuid", s.uuid);
        m.put("created", java.time.Instant.ofEpochMilli(s.created));
        m.put("openings", s.epoch);
        m.put("engine", heap.engine.kind());
        m.put("segments", s.segments);
        m.put("segmentBytes", s.segmentSize());
        m.put("logBytes", s.logSize);
        m.put("fileBytes", s.fileSize());
        m.put("freeUnitBytes", heap.allocator.freeUnitBytes());
        m.put("classes", heap.classes.all().stream().filter(c -> c.id >= ClassInfo.FIRST_USER).count());
        m.put("roots", heap.roots.names());
        return m;
    }

    /** Where the log stands. */
    public Map<String, Object> log() {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("checkpointLsn", heap.engine.superblock.checkpointLsn);
        m.put("epoch", heap.engine.superblock.epoch);
        m.put("replayedAtOpening", heap.recovery().replayedRecords());
        m.put("tornRecord", heap.recovery().tornRecord());
        m.put("usedBytes", heap.engine.logUsed());
        m.put("dirtyBytes", heap.engine.dirtyBytes());
        return m;
    }

    /** One JSON object per line for each object that is alive. */
    public void dump(Appendable out) throws IOException {
        Marker marker = new Marker(heap, (holder, at, ref, why) -> { });
        marker.run(1);
        IOException[] failure = new IOException[1];
        for (int s = 0; s < heap.engine.superblock.segments; s++) {
            heap.units.forEachObject(s, (off, at, h) -> {
                if (failure[0] == null && marker.isMarked(off) && Header.classId(h) >= ClassInfo.FIRST_USER) {
                    try {
                        object(off, h, out);
                    } catch (IOException e) {
                        failure[0] = e;
                    }
                }
            });
        }
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    private void object(long off, long h, Appendable out) throws IOException {
        ClassInfo c = heap.classes.byId(Header.classId(h));
        out.append("{\"at\":").append(Long.toString(off)).append(",\"class\":").append(quote(c.name)).append(",\"bytes\":")
                .append(Long.toString(Header.bytes(h)));
        if (c.kind == Layout.Kind.REFS) {
            out.append(",\"elements\":[");
            for (long i = 0; i < Header.bytes(h); i += 8) {
                out.append(i == 0 ? "" : ",").append(reference(heap.memory.getLong(off + i)));
            }
            out.append(']');
        }
        for (Layout.FieldInfo f : c.fields) {
            out.append(',').append(quote(f.name())).append(':').append(field(off, f));
        }
        out.append("}\n");
    }

    private String field(long o, Layout.FieldInfo f) {
        Memory m = heap.memory;
        long at = o + f.offset();
        return switch (f.type()) {
            case 'Z' -> String.valueOf(m.getByte(at) != 0);
            case 'B' -> String.valueOf(m.getByte(at));
            case 'S' -> String.valueOf(m.getShort(at));
            case 'C' -> quote(String.valueOf((char) m.getShort(at)));
            case 'I' -> String.valueOf(m.getInt(at));
            case 'J' -> String.valueOf(m.getLong(at));
            case 'F' -> number(Float.intBitsToFloat(m.getInt(at)));
            case 'D' -> number(Double.longBitsToDouble(m.getLong(at)));
            case Layout.INLINE -> inline(o, f);
            default -> reference(m.getLong(at));
        };
    }

    private static String number(double d) {
        return Double.isFinite(d) ? String.valueOf(d) : quote(String.valueOf(d));
    }

    private static final Set<Class<?>> BARE = Set.of(Boolean.class, Byte.class, Short.class, Integer.class, Long.class);

    private String reference(long ref) {
        if (ref == 0) {
            return "null";
        }
        long o = Header.offset(ref);
        if (Header.classId(heap.memory.getLong(heap.units.headerOffset(o))) != ClassInfo.VALUE) {
            return "{\"ref\":" + o + "}";
        }
        Object v;
        try {
            v = heap.valueAt(ref);
        } catch (dev.concord.persist.PersistException e) {
            return quote("<" + e.getMessage() + ">");
        }
        return value(v);
    }

    private String inline(long o, Layout.FieldInfo f) {
        try {
            Object v = heap.getInline(o, f);
            return v == null ? "null" : value(v);
        } catch (dev.concord.persist.PersistException e) {
            return quote("<" + e.getMessage() + ">");
        }
    }

    private static String value(Object v) {
        if (v != null && v.getClass().isArray()) {
            String s = java.util.Arrays.deepToString(new Object[] {v});
            return quote(s.substring(1, s.length() - 1));
        }
        return v != null && BARE.contains(v.getClass()) ? v.toString() : quote(String.valueOf(v));
    }

    private static String quote(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') {
                b.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                b.append(String.format("\\u%04x", (int) c));
            } else {
                b.append(c);
            }
        }
        return b.append('"').toString();
    }
}
