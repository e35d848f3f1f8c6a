#!/usr/bin/env bash
# Runs all recipes, a line each. They need `openssl` and `ssh-keygen`, as verifiers, and use `age` and `minisign` where they are.
set -euo pipefail
cd "$(dirname "$0")"
cargo build --locked --quiet --bins
for recipe in src/bin/*.rs; do
    name=$(basename "$recipe" .rs)
    if [ "$name" = age ] && ! command -v age >/dev/null; then
        echo 'age: left out, as the program is missing. To have it: apt-get install age'
        continue
    fi
    "${CARGO_TARGET_DIR:-target}/debug/$name"
done
