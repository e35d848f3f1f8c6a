#!/usr/bin/env bash
# Generates clients in Python and TypeScript from openapi.json, builds them, and lets each make a key, sign, and read a refusal.
# Needs Python 3.11 with venv, Node.js 20 with npm, openssl, and the registries of both languages. It leaves nothing behind.
set -euo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
service=
end() {
    [ -z "$service" ] || kill "$service" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT

# With the features of the workspace's tests, whose build it takes.
cargo build --quiet --workspace --example fake_service
binary=$(cargo build --quiet --workspace --example fake_service --message-format json |
    python3 -c 'import json, sys
print([m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable")][-1])')

# The service, with one caller.
openssl genpkey -algorithm ed25519 -out "$work/caller.pem"
openssl pkey -in "$work/caller.pem" -pubout -out "$work/caller.pub"
mkfifo "$work/stdin"
"$binary" "$work/caller.pub" <"$work/stdin" >"$work/address" &
service=$!
exec 3>"$work/stdin"
for _ in $(seq 100); do
    [ -s "$work/address" ] && break
    sleep 0.1
done
address=$(cat "$work/address")

# Python.
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet openapi-python-client==0.29.1 http-message-signatures==3.0.0 cryptography
(cd "$work" && PATH="$work/venv/bin:$PATH" openapi-python-client generate --path "$OLDPWD/openapi.json" \
    --meta none --output-path quorate_custody_client)
PYTHONPATH=$work "$work/venv/bin/python" generated/client.py "$address" "$work/caller.pem"

# TypeScript.
mkdir "$work/typescript"
cp generated/client.ts "$work/typescript"
cat >"$work/typescript/package.json" <<'JSON'
{ "private": true, "type": "module", "dependencies": { "http-message-sig": "0.3.0", "openapi-fetch": "0.17.0" },
  "devDependencies": { "@types/node": "20", "openapi-typescript": "7.13.0", "typescript": "5" } }
JSON
description=$PWD/openapi.json
cd "$work/typescript"
npm install --silent --no-audit --no-fund
npx openapi-typescript "$description" --output schema.d.ts
npx tsc --strict --noUncheckedIndexedAccess --target es2022 --module nodenext --skipLibCheck client.ts
node client.js "$address" "$work/caller.pem"
