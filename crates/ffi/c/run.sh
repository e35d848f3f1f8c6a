#!/usr/bin/env bash
# Builds the library, compares the header with the sources, compiles the programs in C and runs them, also under valgrind, and
# tests the package for Go. What a missing tool leaves out is said, with the line that installs it.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$(cd .. && pwd)/target}"
out="$CARGO_TARGET_DIR/c"

skipped() { printf 'SKIPPED: %s. To have it: %s\n' "$1" "$2"; }

cargo build --locked --quiet -p quorate-c -p quorate-go-peer
cargo test --locked --quiet -p quorate-c
# A folder with the static library alone, so that the linker takes it.
mkdir -p "$out"
cp "$CARGO_TARGET_DIR/debug/libquorate.a" "$out/"
# What the static library needs of the system.
case "$(uname)" in
    Linux) system=(-lm -ldl -lpthread) ;;
    *) system=() ;;
esac

programs() {
    local cc="${CC:-cc}" program
    command -v "$cc" >/dev/null || { skipped 'C: no compiler' 'apt-get install gcc'; return; }
    for program in example tests/life; do
        local binary="$out/${program##*/}"
        "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude "$program.c" -L"$out" -lquorate "${system[@]}" -o "$binary"
        "$binary"
        command -v valgrind >/dev/null || { skipped 'C under valgrind: no valgrind' 'apt-get install valgrind'; continue; }
        valgrind --quiet --leak-check=full --show-leak-kinds=all --error-exitcode=1 "$binary" >/dev/null
    done
}

go_package() {
    command -v go >/dev/null || { skipped 'Go: no go' 'https://go.dev/dl, and its bin in PATH'; return; }
    cd ../go
    export CGO_LDFLAGS="-L$out" QUORATE_PEER="$CARGO_TARGET_DIR/debug/quorate-go-peer"
    test -z "$(gofmt -l .)"
    go vet ./...
    go test -count=1 ./...
}

programs
go_package
