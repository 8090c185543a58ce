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
  rm -rf "$work" && mkdir -p "$work/classes"
  mvn -q -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/lib"
  "$here/generate" "$work/src"
  "$jdk/bin/javac" -nowarn -cp "$work/lib/*" -d "$work/classes" "$work"/src/litmus/*.java 2> "$work/javac.log" \
    || { cat "$work/javac.log" >&2; return 1; }
  echo "$key" > "$work/key"
}

# stress HOME PATTERN MILLISECONDS ITERATIONS FORKS [VM OPTION...]: jcstress and its forked VMs run
# on HOME; its text goes to $work/last.log. Status 1 if a forbidden result was seen.
stress() {
  local java_home=$1 pattern=$2 ms=$3 iterations=$4 forks=$5
  shift 5
  rm -rf "$work/results" && mkdir -p "$work/results"
  (cd "$work/results" && "$java_home/bin/java" -cp "$work/classes:$work/lib/*" org.openjdk.jcstress.Main \
    -t "$pattern" -sc false -af NONE -f "$forks" -fsm 1 -time "$ms" -iters "$iterations" -r . -jvmArgs "-Xint $*") > "$work/last.log" 2>&1
}

# Names of the tests whose forbidden result was seen in the last run.
failed() { grep -oE '\[FAILED\] litmus\.[A-Za-z0-9_]+' "$work/last.log" | sed 's/.*litmus\.//' | sort -u; }
# The last line of jcstress that counts results.
counts() { grep -oE 'Results: .*[^)]' "$work/last.log" | tail -1; }
# Whether every planned run gave a result.
complete() { [ -n "$(counts)" ] && counts | grep -q ' 0 soft errs, 0 hard errs' && [ "$(planned)" -gt 0 ] && [ "$(planned)" = "$(finished)" ]; }
planned() { counts | grep -oE '[0-9]+ planned' | cut -d' ' -f1; }
finished() { counts | grep -oE '[0-9]+ (passed|failed)' | awk '{ n += $1 } END { print n }'; }
