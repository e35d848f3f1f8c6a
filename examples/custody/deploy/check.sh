#!/bin/sh
# Checks the files of this folder, with the tools that are there; those that are missing are named.
#
#   check.sh            checks
#   check.sh install    installs the tools first: promtool (Debian), the schemas of Kubernetes and JSON (PyPI), compose-go (Go)
#
# It fails if a check fails, or if no tool is there.
set -eu
deploy=$(cd "$(dirname "$0")" && pwd)
tools=${CUSTODY_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/custody-deploy}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

install() {
    mkdir -p "$tools"
    command -v promtool >/dev/null || [ -x "$tools/usr/bin/promtool" ] ||
        (cd "$work" && apt-get -q download prometheus >/dev/null && dpkg -x prometheus_*.deb "$tools") ||
        echo 'promtool could not be installed'
    [ -x "$tools/venv/bin/kubernetes-validate" ] ||
        { python3 -m venv "$tools/venv" && "$tools/venv/bin/pip" -q install kubernetes-validate jsonschema; } ||
        echo 'the validator of Kubernetes could not be installed'
    # Later releases ask for a later Go than a machine may have.
    [ -x "$tools/cmd" ] || GOBIN=$tools go install github.com/compose-spec/compose-go/v2/cmd@v2.16.0 ||
        echo 'compose-go could not be installed'
}

# check TOOL NAME COMMAND…: runs the command if the tool is there
check() {
    tool=$1 name=$2
    shift 2
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $name ($tool is missing: check.sh install)"
        skipped=$((skipped + 1))
    elif "$@" >"$work/log" 2>&1; then
        echo "ok: $name"
        passed=$((passed + 1))
    else
        echo "FAILED: $name"
        cat "$work/log"
        failed=$((failed + 1))
    fi
}

# Units with the programs replaced by one that is there. systemd prints what it finds, and fails for a part of it alone.
units() {
    for unit in "$deploy"/systemd/*.service; do
        sed 's,^ExecStart=[^ ]*,ExecStart=/bin/true,' "$unit" >"$work/$(basename "$unit")"
    done
    mv "$work/custody@.service" "$work/custody@n1.service"
    found=$(systemd-analyze verify --man=no "$work/custody@n1.service" "$work/custody-nats.service" 2>&1) || true
    [ -z "$found" ] || { echo "$found"; return 1; }
    # At most 1.5 of 10 is exposed.
    for unit in custody@n1 custody-nats; do
        systemd-analyze security --no-pager --offline=true --threshold=15 "$work/$unit.service"
    done
}

kubernetes() {
    for file in "$deploy"/kubernetes/*.yaml; do
        kubernetes-validate --strict "$file"
    done
}

compose() {
    cd "$deploy" && cmd compose.yaml >"$work/compose"
}

[ "${1:-}" != install ] || install
PATH="$tools/venv/bin:$tools/usr/bin:$tools:$PATH"
check promtool "prometheus.yml and its rules" promtool check config "$deploy/prometheus/prometheus.yml"
check promtool "tests of the rules" promtool test rules "$deploy/prometheus/alerts_test.yml"
check systemd-analyze "units" units
check kubernetes-validate "manifests of Kubernetes" kubernetes
check cmd "compose.yaml" compose
check "$tools/venv/bin/python" "dashboard and metrics" "$tools/venv/bin/python" "$deploy/check.py" "$deploy"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
