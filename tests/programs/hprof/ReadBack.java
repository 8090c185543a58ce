import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.netbeans.lib.profiler.heap.*;

/** Prints what the parser finds in a dump of Dumped. */
public class ReadBack {
    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        JavaClass dumped = heap.getJavaClassByName("Dumped");
        Map<String, Object> statics = new TreeMap<>();
        for (Object o : dumped.getStaticFieldValues()) {
            FieldValue v = (FieldValue) o;
            statics.put(v.getField().getName(), v instanceof ObjectFieldValue ? ((ObjectFieldValue) v).getInstance() : v.getValue());
        }
        statics.keySet().removeIf(k -> k.startsWith("<"));
        statics.forEach((k, v) -> System.out.println(k + ": " + text(v)));
        Instance child = (Instance) statics.get("child");
        System.out.println(child.getJavaClass().getName() + " extends " + child.getJavaClass().getSuperClass().getName());
        // The order of fields is not part of the format.
        var fields = new java.util.TreeSet<String>();
        for (Object o : child.getFieldValues()) {
            FieldValue v = (FieldValue) o;
            fields.add("  " + v.getField().getDeclaringClass().getName() + "." + v.getField().getName() + " "
                + v.getField().getType().getName() + " = " + (v instanceof ObjectFieldValue ? text(((ObjectFieldValue) v).getInstance()) : v.getValue()));
        }
        fields.forEach(System.out::println);
        System.out.println(heap.getJavaClassByName("Dumped$Child").getInstancesCount() + " children");
        System.out.println("parent of it: " + ((Instance) child.getValueOfField("link")).getJavaClass().getName());
        var rooted = new java.util.TreeSet<String>();
        for (Object r : heap.getJavaClassByName("Dumped$Child").getInstances()) {
            Instance i = (Instance) r;
            rooted.add(i.getValueOfField("i") + " has a root: " + (i.getNearestGCRootPointer() != null));
        }
        rooted.forEach(System.out::println);
        byte[] expected = new byte[3 << 20];
        List<?> values = ((PrimitiveArrayInstance) statics.get("large")).getValues();
        int wrong = 0;
        for (int i = 0; i < expected.length; i++) {
            if (Byte.parseByte((String) values.get(i)) != (byte) i) {
                wrong++;
            }
        }
        System.out.println(values.size() + " bytes, " + wrong + " wrong");
        boolean main = false;
        boolean sleeper = false;
        for (Object o : heap.getGCRoots()) {
            if (o instanceof ThreadObjectGCRoot) {
                StackTraceElement[] trace = ((ThreadObjectGCRoot) o).getStackTrace();
                String name = text(((GCRoot) o).getInstance().getValueOfField("name"));
                main |= name.equals("\"main\"");
                if (name.equals("\"Sleeper\"")) {
                    sleeper = true;
                    for (StackTraceElement e : trace) {
                        if (e.getClassName().equals("Dumped")) {
                            System.out.println("  at " + e);
                        }
                    }
                }
            }
        }
        System.out.println("threads: " + main + " " + sleeper);
        System.out.println("strings: " + heap.getJavaClassByName("java.lang.String").getInstances().stream().anyMatch(s -> text(s).equals("\"two\"")));
        System.out.println("classes: " + (heap.getAllClasses().size() > 300) + " " + heap.getJavaClassByName("int[][]").getInstancesCount());
    }

    static String text(Object o) {
        if (o instanceof PrimitiveArrayInstance) {
            PrimitiveArrayInstance a = (PrimitiveArrayInstance) o;
            return a.getJavaClass().getName() + a.getLength() + (a.getLength() < 10 ? a.getValues() : "");
        }
        if (o instanceof ObjectArrayInstance) {
            ObjectArrayInstance a = (ObjectArrayInstance) o;
            StringBuilder s = new StringBuilder(a.getJavaClass().getName()).append('{');
            for (Object e : a.getValues()) {
                s.append(text(e)).append(' ');
            }
            return s.append('}').toString();
        }
        if (o instanceof Instance) {
            Instance i = (Instance) o;
            if (!i.getJavaClass().getName().equals("java.lang.String")) {
                return i.getJavaClass().getName();
            }
            List<?> bytes = ((PrimitiveArrayInstance) i.getValueOfField("value")).getValues();
            StringBuilder s = new StringBuilder("\"");
            for (Object b : bytes) {
                s.append((char) (Byte.parseByte((String) b) & 0xff));
            }
            return s.append('"').toString();
        }
        return String.valueOf(o);
    }
}
