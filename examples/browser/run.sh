#!/usr/bin/env bash
# A page with three parties.
#
#   run.sh          serves it on http://127.0.0.1:8080; the parties are three workers
#   run.sh native   the same, and party 3 is a program at the other end of a WebSocket
#   run.sh check    runs both in Chromium without a window
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../../crates/ffi/target}"
package="$CARGO_TARGET_DIR/js/package"
[ -d "$package" ] || ../../crates/ffi/js/build.sh
party="$CARGO_TARGET_DIR/debug/quorate-browser-party"
build() { cargo build --locked --quiet --manifest-path native/Cargo.toml; }
case ${1:-} in
    check) ;;
    native)
        build
        "$party" 8081 http://127.0.0.1:8080 &
        trap 'kill $!' EXIT
        echo 'open http://127.0.0.1:8080/?socket=ws://127.0.0.1:8081'
        node serve.mjs "$package"
        exit
        ;;
    *) exec node serve.mjs "$package" ;;
esac
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo 'SKIPPED: the page in a browser: no Chromium. To have it: apt-get install chromium'; exit 0; }
build
node check.mjs "$package" "$browser" "$party"
