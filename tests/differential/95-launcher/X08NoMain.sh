cat > N.java <<'J'
public class N { public static void foo() { } }
J
cat > I.java <<'J'
public class I { public void main(String[] a) { } }
J
cat > R.java <<'J'
public class R { public static int main(String[] a) { return 3; } }
J
cat > S.java <<'J'
public class S { static { if (true) throw new IllegalStateException("static init"); } public static void main(String[] a) { } }
J
cat > T.java <<'J'
interface T { static void main(String... a) { System.out.println("interface main " + a.length); } }
J
"$JAVAC" *.java
for c in N I R S T NoSuch a/b; do "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . $c one; echo "$c exit $?"; done
head -c 100 N.class > Z.class; "$JAVA_HOME/bin/java" $VM_OPTIONS -cp . Z; echo "exit $?"
"$JAVA_HOME/bin/java" $VM_OPTIONS > /dev/null 2>&1; echo "exit $?"
