cat > W.java <<'J'
public class W { public static void main(String[] a) throws Exception { Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook"))); Thread m = Thread.currentThread(); Thread r = new Thread(() -> { while (m.getState() != Thread.State.TIMED_WAITING) Thread.yield(); System.out.println("ready"); }); r.setDaemon(true); r.start(); Thread.sleep(600000); } }
J
"$JAVAC" W.java
for s in TERM INT HUP; do
  env --default-signal=HUP,INT,TERM "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . W > out.$s 2> err.$s & p=$!
  until grep -q ready out.$s 2>/dev/null; do sleep 0.05; done
  kill -$s $p; wait $p; echo "$s exit $?"; cat out.$s
done
env --default-signal=QUIT "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . W > out.Q 2>&1 & p=$!
until grep -q ready out.Q 2>/dev/null; do sleep 0.05; done
kill -QUIT $p
until grep -q '^JNI global refs' out.Q 2>/dev/null; do sleep 0.05; done
kill -KILL $p; wait $p 2>/dev/null
grep -o '^"main" #1\|^Full thread dump\|java.lang.Thread.State: TIMED_WAITING (sleeping)\|at W.main(W.java:1)\|^"Reference Handler"\|^"Finalizer"' out.Q | sort | uniq -c
