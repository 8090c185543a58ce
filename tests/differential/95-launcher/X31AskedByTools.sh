# Options files named in the environment; tools that attach to a VM without signals, and to one whose socket was removed.
# timeout: 120
echo "-Dx=file -Dy=file" > options
echo "-XX:VMOptionsFile=options" > nested
shown() { grep -E ' [xy] =|options|Error' | sed 's/^ *//'; }
for variable in JAVA_TOOL_OPTIONS _JAVA_OPTIONS; do
    env $variable="-Dx=first -XX:VMOptionsFile=options -Dy=last" "$JAVA_HOME/bin/java" -XshowSettings:properties -version 2>&1 | shown
    env $variable="-XX:VMOptionsFile=options -XX:VMOptionsFile=options" "$JAVA_HOME/bin/java" -version 2>&1 | shown
    env $variable="-XX:VMOptionsFile=nested" "$JAVA_HOME/bin/java" -version 2>&1 | shown
    env $variable="-XX:VMOptionsFile=absent" "$JAVA_HOME/bin/java" -version 2>&1 | shown
done
"$JAVA_HOME/bin/java" -XX:VMOptionsFile=nested -version 2>&1 | shown
cat > Sleeps.java <<'J'
public class Sleeps {
    public static void main(String[] args) throws Exception {
        System.out.println("up");
        System.out.flush();
        System.in.read();
        System.out.println("down");
    }
}
J
"$JAVAC" -d . Sleeps.java
asked() {
    mkfifo end
    : > out
    "$JAVA_HOME/bin/java" $1 -cp . Sleeps < end > out 2>&1 &
    pid=$!
    exec 3> end
    while ! grep -q up out; do sleep 0.05; done
    "$ORACLE_HOME/bin/jcmd" $pid VM.uptime 2>&1 | grep -c ' s$'
    if [ -n "${2:-}" ]; then
        rm /tmp/.java_pid$pid
        "$ORACLE_HOME/bin/jcmd" $pid VM.uptime 2>&1 | grep -c ' s$'
        "$ORACLE_HOME/bin/jcmd" $pid VM.uptime 2>&1 | grep -c ' s$'
    fi
    echo x >&3
    exec 3>&-
    wait $pid
    echo "exit $?"
    cat out
    rm end out
}
asked -Xrs
asked -Xmx64m removed
