#!/usr/bin/env bash
# Runs all recipes, a line each. They need `openssl`, `ssh-keygen` and `age`, as verifiers, and use `minisign` where it is.
set -euo pipefail
cd "$(dirname "$0")"
cargo build --locked --quiet --bins
for recipe in src/bin/*.rs; do
    "${CARGO_TARGET_DIR:-target}/debug/$(basename "$recipe" .rs)"
done
