# What run, run-all and mutants share: the harness, the compiled tests, one run of it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/build/litmus
jdk=${JDK17_HOME:-/usr/lib/jvm/java-17-openjdk-amd64}
home=${CONCORD_HOME:-$root/concord-jdk}

# Resolves jcstress from Maven Central and compiles the generated tests; once per change of either.
prepare() {
  local key
  key=$(cat "$here/generate" "$here/shapes.txt" "$here/pom.xml" | sha256sum | cut -c1-16)
  [ "$(cat "$work/key" 2>/dev/null)" = "$key" ] && return
  rm -rf "$work/classes" "$work/lib" "$work/src" && mkdir -p "$work/classes"
  mvn -q -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/lib"
  "$here/generate" "$work/src"
  "$jdk/bin/javac" -nowarn -cp "$work/lib/*" -d "$work/classes" "$work"/src/litmus/*.java 2> "$work/javac.log" \
    || { cat "$work/javac.log" >&2; return 1; }
  echo "$key" > "$work/key"
}

# How the VMs under test run: the interpreter; or what users have, with early thresholds, and a file
# per VM that says what was compiled.
interpreted=-Xint
compiled="-XX:CompileThresholdScaling=0.02 -Xlog:jit+compilation=info:file=$work/results/%p.compiled"
engine=$interpreted
# The harness runs a test where it finds a processor for each actor. `crowded` makes it believe in
# more of them, so that shapes of three and four actors run on two processors as well, taking turns.
harness=() spinning=
crowded() { harness=(-XX:ActiveProcessorCount=4 -Dos.name=AIX) spinning="-spinStyle THREAD_YIELD"; }
uncrowded() { harness=() spinning=; }

# stress HOME PATTERN MILLISECONDS ITERATIONS FORKS [VM OPTION...]: jcstress and its forked VMs, which
# run by $engine, on HOME; its text goes to $work/last.log. Status 1 if a forbidden result was seen.
stress() {
  local java_home=$1 pattern=$2 ms=$3 iterations=$4 forks=$5
  shift 5
  rm -rf "$work/results" && mkdir -p "$work/results"
  (cd "$work/results" && "$java_home/bin/java" "${harness[@]}" -cp "$work/classes:$work/lib/*" org.openjdk.jcstress.Main \
    -t "$pattern" -sc false -af NONE -f "$forks" -fsm 1 -time "$ms" -iters "$iterations" -r . $spinning -jvmArgs "$engine $*") > "$work/last.log" 2>&1
}

# Names of the tests whose forbidden result was seen in the last run.
failed() { grep -oE '\[FAILED\] litmus\.[A-Za-z0-9_]+' "$work/last.log" | sed 's/.*litmus\.//' | sort -u; }
# The last line of jcstress that counts results.
counts() { grep -oE 'Results: .*[^)]' "$work/last.log" | tail -1; }
# Whether every planned run gave a result, in a VM that compiled all actors if it was to.
complete() {
  [ -n "$(counts)" ] && counts | grep -q ' 0 soft errs, 0 hard errs' && [ "$(planned)" -gt 0 ] &&
    [ "$(planned)" = "$(finished)" ] && { [ "$engine" != "$compiled" ] || [ "$(all_compiled | wc -l)" -ge "$(planned)" ]; }
}
# The test of each VM of the last run that compiled all of its actors, a line per VM.
all_compiled() {
  local file test
  for file in "$work"/results/*.compiled; do
    [ -e "$file" ] || continue
    test=$(compiled_actors "$file" | head -1 | sed 's/ .*//')
    [ -z "$test" ] || [ "$(compiled_actors "$file" | wc -l)" -lt "$(grep -c '^ *public void actor' "$work/src/litmus/$test.java")" ] || echo "$test"
  done
}
# Test and actor of each actor that the VM of a file has compiled: by itself, or in the loop that runs it.
compiled_actors() {
  { grep -oE 'litmus/[A-Za-z0-9_]+\.actor[0-9]+\(|litmus/[^ ]*\.jcstress_stride_actor[0-9]+\([^:]*: [0-9]+ bytes and [1-9]' "$1" || true; } |
    sed -E 's/^litmus.([A-Za-z0-9_]+)(_jcstress.*stride_|\.)(actor[0-9]+).*/\1 \3/' | sort -u
}
planned() { counts | grep -oE '[0-9]+ planned' | cut -d' ' -f1; }
finished() { counts | grep -oE '[0-9]+ (passed|failed)' | awk '{ n += $1 } END { print n }'; }
