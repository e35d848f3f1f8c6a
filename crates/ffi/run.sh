#!/usr/bin/env bash
# Builds the library, writes the bindings for Python, Kotlin and Swift, builds a wheel, and runs the tests of both languages
# that can be run here, or of the one that is named. What a missing tool leaves out is said, with the line that installs it.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
out="$CARGO_TARGET_DIR/bindings"

skipped() { printf 'SKIPPED: %s. To have it: %s\n' "$1" "$2"; }

bindings() {
    cargo build --locked --quiet -p quorate-ffi --lib
    library=$(find "$CARGO_TARGET_DIR/debug" -maxdepth 1 -name 'libquorate_ffi.so' -o -maxdepth 1 -name 'libquorate_ffi.dylib' | head -1)
    rm -rf "$out"
    local language
    for language in python kotlin swift; do
        cargo run --locked --quiet --bin uniffi-bindgen -- \
            generate --no-format --language "$language" --out-dir "$out/$language" "$library"
    done
    find "$out" -type f | sort
}

# A virtual environment with what the tests and the wheel need.
environment() {
    command -v python3 >/dev/null || { skipped 'Python: no python3' 'apt-get install python3 python3-venv'; return 1; }
    [ -x "$out/../ffi-venv/bin/python" ] || python3 -m venv "$out/../ffi-venv" ||
        { skipped 'Python: no module venv' 'apt-get install python3-venv'; return 1; }
    venv=$(cd "$out/../ffi-venv" && pwd)
    "$venv/bin/python" -c 'from cryptography.hazmat.primitives.asymmetric import mldsa' 2>/dev/null && [ -x "$venv/bin/maturin" ] ||
        "$venv/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.16,<2' 'cryptography>=48' ||
        { skipped 'Python: maturin and cryptography could not be installed' "$venv/bin/pip install maturin cryptography"; return 1; }
}

# The wheel, installed, and the tests against it.
python() {
    "$venv/bin/maturin" build --quiet --locked --profile dev --out "$out/wheel"
    # The package says that it has types, and that it is what its page says.
    "$venv/bin/python" -m zipfile --list "$out"/wheel/quorate-*.whl | grep 'quorate/py.typed' >/dev/null
    "$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$out"/wheel/quorate-*.whl
    "$venv/bin/python" -m unittest discover --start-directory python
}

# The compiler of Kotlin comes from Maven's registry, and so does what its programs call the library by.
kotlin() {
    command -v java >/dev/null && command -v mvn >/dev/null ||
        { skipped 'Kotlin: no java or no mvn' 'apt-get install default-jdk-headless maven'; return; }
    local jars="$CARGO_TARGET_DIR/ffi-kotlin"
    [ -n "$(find "$jars" -name 'jna-*.jar' 2>/dev/null)" ] ||
        mvn --batch-mode --quiet --file kotlin/pom.xml dependency:copy-dependencies -DoutputDirectory="$jars" ||
        { skipped 'Kotlin: its compiler could not be had' "mvn --file $PWD/kotlin/pom.xml dependency:copy-dependencies"; return; }
    java -cp "$jars/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -nowarn \
        -classpath "$(echo "$jars"/kotlin-stdlib-*.jar):$(echo "$jars"/jna-*.jar)" \
        -d "$out/quorate.jar" "$out/kotlin/uniffi/quorate/quorate.kt" kotlin/Example.kt
    java -Djna.library.path="$(dirname "$library")" -cp "$out/quorate.jar:$jars/*" ExampleKt
}

bindings
case "${1:-all}" in
    all)
        if environment; then python; fi
        kotlin
        ;;
    python) environment && python ;;
    kotlin) kotlin ;;
    *) echo "usage: $0 [python|kotlin]" >&2; exit 2 ;;
esac
