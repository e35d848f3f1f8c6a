#!/usr/bin/env bash
# One key in four languages: JavaScript makes it, Rust opens it, Python refreshes it, Go signs with it, and JavaScript verifies. Run it after
# the scripts of the languages: crates/ffi/run.sh, c/run.sh and js/run.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
python="$CARGO_TARGET_DIR/ffi-venv/bin/python" user="$CARGO_TARGET_DIR/js/user"
for made in "$user/node_modules/@quorate/quorate" "$CARGO_TARGET_DIR/c/libquorate.a" "$python"; do
    [ -e "$made" ] || { echo "SKIPPED: one key in four languages: $made is not there. Run crates/ffi/run.sh, c/run.sh and js/run.sh first"; exit 0; }
done
command -v go >/dev/null || { echo 'SKIPPED: one key in four languages: no go. To have it: https://go.dev/dl, and its bin in PATH'; exit 0; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head -c 32 /dev/urandom >"$folder/seal.key"
cp across/*.mjs "$user/"
node "$user/make.mjs" "$folder"
export QUORATE_ACROSS="$folder"
cargo test --locked --quiet -p quorate-ffi --test ffi -- across --ignored
"$python" across/refresh.py "$folder"
(cd go && CGO_LDFLAGS="-L$CARGO_TARGET_DIR/c" go test -count=1 -run TestAcross ./...)
node "$user/verify.mjs" "$folder"
