# A debugger's watched fields, popped frames and early returns, by JDI.
cat > Target.java <<'J'
import java.util.ArrayList;
import java.util.List;
public class Target {
    static class Node {
        final Node next;
        final Object[] held;
        Node(Node n, Object... o) {
            next = n;
            held = o;
        }
    }
    static final Object KEY = new Object();
    static Node first;
    int number = 1;
    static String text = "a";
    long wide = 1L << 40;
    double real = 0.5;
    boolean flag;
    byte small = -1;
    char letter = 'x';
    Object other;
    static int calls;

    int twice(int n) {
        calls++;
        int r = n * 2;
        return r;
    }
    static synchronized Object locked(Object o, int depth) {
        calls++;
        if (depth > 0) synchronized (o) { return locked(o, depth - 1); }
        return o;
    }
    boolean bool() { return flag; }
    byte bits() { return small; }
    char character() { return letter; }
    short shorter() { return 3; }
    long longer() { return wide; }
    float floating() { return 1.5f; }
    double doubled() { return real; }
    String string() { return text; }
    int[] array() { return new int[] {1}; }
    void nothing() { calls += 100; try { calls++; } finally { calls += 1000; } }
    int lambda(List<String> l) { return l.stream().mapToInt(s -> twice(s.length())).sum(); }
    void fields() {
        number = number + 1;
        text = text + "b";
        wide++;
        real *= 2;
        flag = !flag;
        small++;
        letter += 1;
        other = this;
        other = null;
        try {
            nobody().number = 4;
        } catch (NullPointerException e) {
            calls++;
        }
    }
    Target nobody() { return null; }

    void all() {
        fields();
        System.out.println("twice " + twice(21) + " " + calls);
        System.out.println("locked " + locked("lock", 2) + " " + calls + " " + Thread.holdsLock(Target.class) + Thread.holdsLock("lock"));
        System.out.println(bool() + " " + bits() + " " + character() + " " + shorter() + " " + longer());
        System.out.println(floating() + " " + doubled() + " " + string() + " " + (array() == null));
        for (int i = 0; i < 5; i++) first = new Node(first, KEY, this, i);
        Node unlinked = new Node(first);
        nothing();
        System.out.println("calls " + calls);
        System.out.println("lambda " + lambda(new ArrayList<>(List.of("ab", "c"))));
        fields();
        System.out.println(number + text + wide + real + flag + small + letter);
    }
    public static void main(String[] args) {
        new Target().all();
        System.out.println("end");
    }
}
J
cat > Debug.java <<'J'
import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.util.*;
public class Debug {
    static VirtualMachine vm;
    static EventRequestManager requests;
    static Map<String, Integer> seen = new HashMap<>();

    static String show(Value v) {
        if (v instanceof StringReference) return "\"" + ((StringReference) v).value() + "\"";
        if (v instanceof CharValue) return "character " + (int) ((CharValue) v).value();
        if (v instanceof ObjectReference) return "object of " + ((ObjectReference) v).referenceType().name();
        return String.valueOf(v);
    }
    static String where(Locatable e) {
        return e.location().method().name() + ":" + e.location().lineNumber();
    }
    static void attempt(String what, java.util.concurrent.Callable<?> c) {
        try {
            c.call();
            System.out.println("  " + what);
        } catch (Exception e) {
            System.out.println("  " + what + " refused: " + e);
        }
    }
    static void prepared(ReferenceType t) throws Exception {
        for (String m : new String[] {"twice", "locked", "bool", "bits", "character", "shorter", "longer", "floating", "doubled", "string", "array", "nothing"}) {
            requests.createBreakpointRequest(t.methodsByName(m).get(0).location()).enable();
        }
        for (Field f : t.fields()) {
            if (f.name().equals("calls")) continue;
            requests.createAccessWatchpointRequest(f).enable();
            requests.createModificationWatchpointRequest(f).enable();
        }
    }
    /** How many there are of a class, if that is the same everywhere, and that all are of it. */
    static void heap(String name) {
        for (ReferenceType c : vm.classesByName(name)) {
            List<ObjectReference> all = c.instances(0);
            String n = name.startsWith("Target") || name.endsWith("Group") ? "" + all.size() : "some";
            System.out.println("  instances of " + name + " " + n + " " + all.stream().allMatch(o -> o.referenceType().equals(c)) + " " + c.instances(2).size());
        }
    }
    static void referrers(String what, ObjectReference o) {
        TreeMap<String, Integer> m = new TreeMap<>();
        for (ObjectReference r : o.referringObjects(0)) m.merge(r instanceof ClassObjectReference ? "class " + ((ClassObjectReference) r).reflectedType().name() : r.referenceType().name(), 1, Integer::sum);
        System.out.println("  referrers of " + what + " " + m);
    }
    static void early(ThreadReference t, Value v) {
        attempt("returns " + show(v), () -> { t.forceEarlyReturn(v); return 0; });
    }
    static void stopped(BreakpointEvent e) throws Exception {
        ThreadReference t = e.thread();
        String name = e.location().method().name();
        int n = seen.merge(name, 1, Integer::sum);
        System.out.println("breakpoint " + where(e) + " " + n + " " + t.frame(0).getArgumentValues().stream().map(Debug::show).toList());
        switch (name) {
            case "twice":
                if (n == 1) {
                    LocalVariable v = e.location().method().variablesByName("n").get(0);
                    t.frame(0).setValue(v, vm.mirrorOf(5));
                    attempt("wrong type", () -> { t.forceEarlyReturn(vm.mirrorOf("no")); return 0; });
                    attempt("popped", () -> { t.popFrames(t.frame(0)); return 0; });
                    System.out.println("  now " + t.frame(0).location().method().name() + ":" + t.frame(0).location().lineNumber());
                }
                if (n == 3) early(t, vm.mirrorOf(50));
                break;
            case "locked":
                if (n == 3) {
                    attempt("popped two", () -> { t.popFrames(t.frame(1)); return 0; });
                    System.out.println("  now " + t.frame(0).location().method().name() + " " + t.frameCount());
                }
                if (n == 5) early(t, vm.mirrorOf("early"));
                break;
            case "bool": early(t, vm.mirrorOf(true)); break;
            case "bits": early(t, vm.mirrorOf((byte) -7)); break;
            case "character": early(t, vm.mirrorOf('q')); break;
            case "shorter": early(t, vm.mirrorOf((short) -9)); break;
            case "longer": early(t, vm.mirrorOf(1L << 50)); break;
            case "floating": early(t, vm.mirrorOf(2.25f)); break;
            case "doubled": early(t, vm.mirrorOf(-1e9)); break;
            case "string": early(t, vm.mirrorOf("early")); break;
            case "array": early(t, null); break;
            case "nothing":
                for (String c : new String[] {"Target", "Target$Node", "java.lang.Object[]", "java.lang.ThreadGroup", "Debug"}) heap(c);
                ReferenceType target = vm.classesByName("Target").get(0);
                referrers("key", (ObjectReference) target.getValue(target.fieldByName("KEY")));
                referrers("first", (ObjectReference) target.getValue(target.fieldByName("first")));
                referrers("this", t.frame(0).thisObject());
                System.out.println("  counts " + Arrays.toString(vm.instanceCounts(List.of(target, vm.classesByName("Target$Node").get(0)))));
                early(t, vm.mirrorOfVoid()); break;
        }
        if (name.equals("array")) System.out.println("  " + t.frameCount());
    }
    public static void main(String[] a) throws Exception {
        LaunchingConnector c = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> args = c.defaultArguments();
        args.get("home").setValue(System.getProperty("java.home"));
        args.get("main").setValue("Target");
        args.get("options").setValue("-cp . " + String.join(" ", a));
        vm = c.launch(args);
        requests = vm.eventRequestManager();
        System.out.println(vm.canPopFrames() + " " + vm.canForceEarlyReturn() + " " + vm.canWatchFieldAccess() + " " + vm.canWatchFieldModification());
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        prepare.addClassFilter("Target");
        prepare.enable();
        Thread out = new Thread(() -> copy(vm.process().getInputStream()));
        out.start();
        Thread err = new Thread(() -> copy(vm.process().getErrorStream()));
        err.start();
        for (boolean on = true; on; ) {
            EventSet set = vm.eventQueue().remove();
            for (Event e : set) {
                if (e instanceof ClassPrepareEvent) prepared(((ClassPrepareEvent) e).referenceType());
                if (e instanceof BreakpointEvent) stopped((BreakpointEvent) e);
                if (e instanceof ModificationWatchpointEvent) {
                    ModificationWatchpointEvent w = (ModificationWatchpointEvent) e;
                    System.out.println("set " + w.field().name() + " at " + where(w) + " " + show(w.object()) + " from " + show(w.valueCurrent()) + " to " + show(w.valueToBe()));
                } else if (e instanceof AccessWatchpointEvent) {
                    AccessWatchpointEvent w = (AccessWatchpointEvent) e;
                    System.out.println("get " + w.field().name() + " at " + where(w) + " " + show(w.object()) + " is " + show(w.valueCurrent()));
                }
                if (e instanceof VMDeathEvent || e instanceof VMDisconnectEvent) on = false;
            }
            if (on) set.resume();
        }
        try {
            vm.resume();
        } catch (VMDisconnectedException e) {
            // It has ended.
        }
        out.join();
        err.join();
        System.out.print(text);
    }
    static final StringBuffer text = new StringBuffer();
    static void copy(java.io.InputStream in) {
        try {
            text.append(new String(in.readAllBytes()));
        } catch (java.io.IOException e) {
            text.append(e);
        }
    }
}
J
"$JAVAC" -g Target.java Debug.java
"$JAVA_HOME/bin/java" -cp . Debug $VM_OPTIONS 2>&1 | grep -v warning
