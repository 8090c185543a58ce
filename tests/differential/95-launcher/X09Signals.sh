cat > W.java <<'J'
public class W { public static void main(String[] a) throws Exception { Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook"))); System.out.println("ready"); Thread.sleep(60000); } }
J
"$JAVA_HOME/bin/javac" W.java
for s in TERM INT HUP; do
  env --default-signal=INT "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . W > out.$s 2> err.$s & p=$!
  for i in $(seq 200); do grep -q ready out.$s 2>/dev/null && break; sleep 0.05; done
  kill -$s $p; wait $p; echo "$s exit $?"; cat out.$s
done
"$JAVA_HOME/bin/java" $VM_OPTIONS -cp . W > out.Q 2>&1 & p=$!
for i in $(seq 200); do grep -q ready out.Q 2>/dev/null && break; sleep 0.05; done
kill -QUIT $p
for i in $(seq 200); do grep -q '"Reference Handler"' out.Q 2>/dev/null && break; sleep 0.05; done
kill -KILL $p; wait $p 2>/dev/null
grep -o '^"main" #1\|^Full thread dump\|java.lang.Thread.State: TIMED_WAITING (sleeping)\|at W.main(W.java:1)\|^"Reference Handler"\|^"Finalizer"' out.Q | sort | uniq -c
