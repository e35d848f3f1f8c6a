#!/usr/bin/env bash
# Builds the package, compares its sizes with their limits, tests it in Node.js, checks its types as a user's compiler does, and runs the
# example in a browser. What a missing tool leaves out is said, with the line that installs it.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$(cd .. && pwd)/target}"
out="$CARGO_TARGET_DIR/js"

skipped() { printf 'SKIPPED: %s. To have it: %s\n' "$1" "$2"; }

command -v node >/dev/null && command -v npm >/dev/null || { skipped 'JavaScript: no node or no npm' 'apt-get install nodejs npm'; exit 0; }
code=0
./build.sh check || code=$?
[ "$code" != 77 ] || exit 0
[ "$code" = 0 ] || exit "$code"

# As a user has it: installed into a project, and imported by its name.
rm -rf "$out/user"
mkdir -p "$out/user"
cp -r test/*.mjs test/bundle test/types.ts test/tsconfig.json "$out/user/"
(
    cd "$out/user"
    echo '{ "private": true, "type": "module" }' >package.json
    npm install --silent --no-audit --no-fund "$out/package"
    export QUORATE_FIXTURES="$OLDPWD/../python/fixtures"
    node --test
    # Once more with the module that newer ones load by themselves.
    relaxed=$(node --v8-options | grep -o -m 1 -e '--experimental-wasm-relaxed-simd' || true)
    [ -z "$relaxed" ] || node "$relaxed" --test wallet.test.mjs
    npm install --silent --no-audit --no-fund typescript@5 || { skipped 'types: no TypeScript' 'npm install typescript'; exit 0; }
    npx tsc --project tsconfig.json
    # As a page has it: through a bundler.
    npm install --silent --no-audit --no-fund vite@8 || { skipped 'a bundler: no Vite' 'npm install vite'; exit 0; }
    npx vite build --logLevel warn bundle
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
    [ -n "$browser" ] || exit 0
    node "$OLDPWD/test/bundle.mjs" bundle/dist "$browser"
)
../../../examples/browser/run.sh check
