# Shared by run and run-all. Checks SPIN models in parallel on the processors there are.
set -eu
models=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$models/../.." && pwd)
work=$root/target/models
mkdir -p "$work"

need_spin() {
    command -v spin >/dev/null && command -v gcc >/dev/null && return
    echo "installing spin and gcc" >&2
    if [ "$(id -u)" = 0 ]; then apt-get install -y -q spin gcc libc6-dev >/dev/null
    else sudo apt-get install -y -q spin gcc libc6-dev >/dev/null; fi
}

# check_model NAME EXPECT DEFINES...: EXPECT is pass (all states seen, no error), fail, or bounded (no
# error in what memory and time allow). One line on stdout.
check_model() {
    local name=$1 expect=$2; shift 2
    local dir=$work/spin/$name
    rm -rf "$dir"; mkdir -p "$dir"; cd "$dir"
    cp "$models/relaxed_lock.pml" .
    spin "$@" -a relaxed_lock.pml >spin.out 2>&1 || { cat spin.out; echo "BROKEN $name: spin"; return 1; }
    gcc "${MODEL_OPTIMIZE:--O1}" -DSAFETY -DNOFAIR -DHC4 -DVECTORSZ=2048 -DMEMLIM="${MODEL_MEMORY_MB:-4000}" pan.c -o pan 2>gcc.out \
        || { cat gcc.out; echo "BROKEN $name: gcc"; return 1; }
    # Interrupted, it says how far it came.
    timeout -s INT "${MODEL_SECONDS:-3600}" ./pan -m3000000 -w"${MODEL_HASH_BITS:-24}" >pan.out 2>&1 || true
    local states seconds verdict
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.out)
    seconds=$(sed -n 's/^pan: elapsed time \([0-9.e+-]*\) seconds/\1/p' pan.out | head -1)
    if grep -q 'errors: [1-9]' pan.out; then verdict=fail
    elif grep -q 'errors: 0' pan.out && ! grep -qi -E 'search (not completed|incomplete)|max search depth too small|out of memory' pan.out
    then verdict=pass
    else verdict=incomplete; fi
    local got=$verdict
    if [ "$expect" = bounded ] && [ "$verdict" != fail ] && [ -n "$states" ]; then verdict=bounded; fi
    local how
    how=$(sed -n 's/^pan:1: \(.*\) (at depth.*/\1/p' pan.out | head -1 | cut -c1-60)
    rm -f pan pan.? pan_*
    if [ "$verdict" = "$expect" ]; then
        echo "ok $name: $got${how:+ ($how)}, $states states, $seconds s: $*"
    else
        echo "WRONG $name: $verdict${how:+ ($how)}, expected $expect, $states states: $*"
        return 1
    fi
}

# check_list FILE EXPECT SIZE: all rows "size | name | defines" of that size.
check_list() {
    local file=$1 expect=$2 size=$3 extra=0
    # The checkers of small models take longer to compile than to run.
    local MODEL_OPTIMIZE=-O1; [ "$size" != small ] || MODEL_OPTIMIZE=-O0
    export -f check_model; export models work expect MODEL_OPTIMIZE
    grep -v '^#' "$models/$file" | awk -F'|' -v size="$size" '{gsub(/ /,"",$1)} $1==size {print $2 "|" $3}' \
        | xargs -P "${MODEL_JOBS:-2}" -d '\n' -I ROW bash -euc '
            row="ROW"; name=$(echo ${row%%|*}); check_model "$name" "$expect" ${row#*|}'
}

# The binary of a checker's test, built with debug assertions (the named laws).
build_checker_test() {
    local checker=$1 manifest=${2:-$root/Cargo.toml} target=$work/$1
    # A directory of its own: Cargo takes the copy of the workspace for the original.
    [ -z "${2:-}" ] || target=$work/mutants/target
    RUSTFLAGS="--cfg $checker" CARGO_TARGET_DIR=$target CARGO_PROFILE_FAST_DEBUG_ASSERTIONS=true \
        cargo test -q --manifest-path "$manifest" -p concord-monitors --profile fast --test "$checker" --no-run \
        --message-format=json-render-diagnostics 2>"$work/$checker.err" \
        | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}
