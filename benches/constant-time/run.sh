#!/bin/sh
# Watches secret exponentiation of the portable engine under valgrind: benches/constant-time/run.sh
#
# Fails if a jump or an address depends on a secret, and also if valgrind does not notice the evaluation in variable
# time that is run after it. Needs valgrind and an x86-64 machine; takes a minute.
set -eu
cd "$(dirname "$0")"
RUSTFLAGS="${RUSTFLAGS:-} --cfg quorate_watch" cargo build --release
program=${CARGO_TARGET_DIR:-target}/release/constant-time
watch() {
    valgrind --quiet --error-exitcode=1 --track-origins=no --num-callers=30 \
        --suppressions=valgrind.supp "$program" "$@"
}
watch
code=0
watch --leak >/dev/null 2>&1 || code=$?
if [ "$code" -ne 1 ]; then
    echo "valgrind does not see the leak that is there" >&2
    exit 1
fi
echo "no jump and no address depends on a secret; the control is reported"
