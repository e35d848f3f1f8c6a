#!/usr/bin/env bash
# Builds the package for JavaScript and TypeScript into `package` of the target folder, and says how large it is:
#
#     build.sh         # builds
#     build.sh check   # and fails if a part is larger than its limit
#
# It needs Node.js, Rust's target wasm32-unknown-unknown and the program of wasm-bindgen of the version that Cargo.lock has.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target}"
out="$CARGO_TARGET_DIR/js/package"
tools="$CARGO_TARGET_DIR/js/tools"

# Ends with 77, by which a script can tell that it was not tried.
missing() { printf 'SKIPPED: JavaScript: no %s. To have it: %s\n' "$1" "$2"; exit 77; }

version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' ../Cargo.lock)
bindgen=$(command -v wasm-bindgen || echo "$tools/bin/wasm-bindgen")
if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
    bindgen="$tools/bin/wasm-bindgen"
    [ "$("$bindgen" --version 2>/dev/null)" = "wasm-bindgen $version" ] ||
        cargo install --quiet --root "$tools" wasm-bindgen-cli --version "$version" ||
        missing "wasm-bindgen $version" "cargo install wasm-bindgen-cli --version $version"
fi
rustup target list --installed 2>/dev/null | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown ||
    missing 'the target wasm32-unknown-unknown' 'rustup target add wasm32-unknown-unknown'

# No path of this machine is in the modules, and SHA-2 is the smaller of its two forms.
cargo=$(cd "${CARGO_HOME:-$HOME/.cargo}" && pwd) root=$(cd ../../.. && pwd) rust=$(rustc --print sysroot)
export RUSTFLAGS="--cfg sha2_backend_soft=\"compact\" --remap-path-prefix=$cargo/registry/src=/crates --remap-path-prefix=$root=/quorate --remap-path-prefix=$rust=/rust"

# Builds a module into a folder: its features, and its profile.
module() {
    local folder=$1 features=$2 profile=$3
    cargo build --locked --quiet -p quorate-js --target wasm32-unknown-unknown --profile "$profile" --no-default-features --features "$features"
    "$bindgen" --target web --remove-name-section --remove-producers-section --out-name quorate --out-dir "$folder" "$CARGO_TARGET_DIR/wasm32-unknown-unknown/$profile/quorate_js.wasm"
    rm -f "$folder/.gitignore" "$folder/package.json"
}

# One part of the package: its name, its features, and its limit in bytes, compressed by Brotli as browsers get it.
part() {
    local name=$1 features=$2 limit=$3 profile=${4:-wasm}
    module "$out/$name" "$features" "$profile"
    cp package/node.js package/browser.js "$out/$name"
    measure "$name" "$out/$name/quorate_bg.wasm" "$limit"
}

# The module of a part once more, for machines with relaxed SIMD: the same calls, and big numbers several times as fast. One of the two is
# loaded, so each has the limit for itself.
relaxed() {
    local name=$1 features=$2 limit=$3 other="$CARGO_TARGET_DIR/js/relaxed"
    RUSTFLAGS="$RUSTFLAGS -C target-feature=+simd128,+relaxed-simd" module "$other" "$features" wasm
    cmp "$other/quorate.js" "$out/$name/quorate.js" || { echo "the modules of $name need one JavaScript each" >&2; exit 1; }
    mv "$other/quorate_bg.wasm" "$out/$name/quorate_relaxed_bg.wasm"
    rm -rf "$other"
    cp package/relaxed/*.js "$out/$name"
    measure "$name, relaxed" "$out/$name/quorate_relaxed_bg.wasm" "$limit"
}

# Prints the sizes of a file, and fails if it is larger than its limit.
measure() {
    local name=$1 limit=$3 size
    size=$(node sizes.mjs "$2")
    printf '%-13s %8d bytes, %7d by gzip, %7d by Brotli, limit %7d\n' "$name" $size "$limit"
    size=${size##* }
    [ "$check" = no ] || [ "$size" -le "$limit" ] || { echo "$name is too large" >&2; exit 1; }
}

check=no
[ "${1:-}" = check ] && check=yes
rm -rf "$out"
mkdir -p "$out"
part verify frost,ecdsa,mldsa 100000 wasm-small
part ed25519 sign 160000 wasm-small
part all sign,life,frost,ecdsa,mldsa 900000
relaxed all sign,life,frost,ecdsa,mldsa 900000
measure store package/store.js 2000
cp package/package.json package/store.js package/store.d.ts README.md LICENSE-MIT LICENSE-APACHE "$out"
