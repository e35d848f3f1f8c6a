#!/usr/bin/env bash
# Serves the page on http://127.0.0.1:8080, or, with `check`, runs it in Chromium without a window.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../../crates/ffi/target}"
package="$CARGO_TARGET_DIR/js/package"
[ -d "$package" ] || ../../crates/ffi/js/build.sh
[ "${1:-}" = check ] || exec node serve.mjs "$package"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo 'SKIPPED: the page in a browser: no Chromium. To have it: apt-get install chromium'; exit 0; }
node check.mjs "$package" "$browser"
