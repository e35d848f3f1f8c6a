#!/usr/bin/env bash
# Watches operations on secrets under valgrind: benches/constant-time/run.sh [short]
#
# Fails if a jump or an address depends on a secret; and if valgrind does not report the leaks that are run after it as
# controls. `short` leaves out moduli of 3072 bits, proofs with a second engine and keys over three of the five curves.
# Needs valgrind and an x86-64 machine with BMI2, AVX2 and FMA.
set -euo pipefail
cd "$(dirname "$0")"
for feature in bmi2 avx2 fma; do
    grep -qw "$feature" /proc/cpuinfo || { echo "this processor has no $feature" >&2; exit 2; }
done
sizes='2048 3072'
[ "${1:-}" = short ] && sizes=2048

RUSTFLAGS="${RUSTFLAGS:-} --cfg quorate_watch" cargo build --locked --release
program=${CARGO_TARGET_DIR:-target}/release/constant-time
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# The numbers of errors' exit codes: 99 is valgrind's, the others are the program's.
watch() {
    local log=$1 code=0
    shift
    valgrind --verbose --error-exitcode=99 --num-callers=30 --suppressions=valgrind.supp \
        --log-file="$log.valgrind" "$program" "$@" >"$log.program" || code=$?
    echo "$code" >"$log.code"
}

# No suppressed jump is made more often than once for each division: a loop inside one is.
sparing() {
    awk '/used_suppression:/ && $3 > 3000 { print; bad = 1 } END { exit bad }' "$1.valgrind"
}

clean() {
    local log=$1
    cat "$log.program"
    [ "$(cat "$log.code")" = 0 ] && sparing "$log" && return
    grep -v -E 'Reading syms|REDIR|suppression' "$log.valgrind" | head -100 >&2
    return 1
}

# On two cores, lists that take about as long.
if [ "$sizes" = 2048 ]; then
    { watch "$logs/curves" curves; watch "$logs/keys" two-keys; watch "$logs/lattices" lattices; watch "$logs/portable" numbers portable 2048; } &
    watch "$logs/x86-64" numbers x86-64 2048
    watch "$logs/proofs" proofs portable 2048
    wait
else
    { watch "$logs/curves" curves; watch "$logs/keys" keys; watch "$logs/lattices" lattices; } &
    for bits in $sizes; do
        for what in numbers proofs; do
            watch "$logs/portable-$what-$bits" "$what" portable "$bits" &
            watch "$logs/x86-64-$what-$bits" "$what" x86-64 "$bits"
            wait
        done
    done
fi
failed=0
for code in "$logs"/*.code; do
    clean "${code%.code}" || failed=1
done
[ "$failed" = 0 ] || { echo "a jump or an address depends on a secret" >&2; exit 1; }

for leak in 'branch portable' 'address portable' 'point portable' 'number portable' 'number x86-64'; do
    log="$logs/leak"
    # shellcheck disable=SC2086 # two words
    watch "$log" leak $leak
    if [ "$(cat "$log.code")" != 99 ] || ! grep -q 'uninitialised value' "$log.valgrind"; then
        echo "valgrind does not see the leak that is there: $leak" >&2
        exit 1
    fi
    echo "control, $leak: reported"
done
echo 'no jump and no address depends on a secret; every control is reported'
