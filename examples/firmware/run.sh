#!/usr/bin/env bash
# Builds the firmware for a Cortex-M4, says how large it is, and makes a key and a signature with it in an emulator.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
target=thumbv7em-none-eabihf

rustup target add "$target"
command -v qemu-system-arm >/dev/null || { echo 'qemu-system-arm is missing: apt-get install qemu-system-arm' >&2; exit 1; }

cargo build --locked --quiet --release --target "$target" -p firmware-device --features emulator
image="$CARGO_TARGET_DIR/$target/release/firmware-device"
if command -v size >/dev/null; then
    { size "$image" || true; } | awk 'NR == 2 { printf "flash: %d bytes; statics with the heap: %d bytes\n", $1 + $2, $2 + $3 }'
fi
timeout 300 cargo run --locked --quiet -p firmware-host -- "$image"
