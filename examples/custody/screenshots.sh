#!/usr/bin/env bash
# screenshots.sh OUT [URL]: the status page in headless Chromium, on a desktop and on a phone, light and dark.
# Without a URL it is the page of a gateway that is made up (`cargo run --example page`).
set -euo pipefail
cd "$(dirname "$0")"
out=${1:?usage: screenshots.sh OUT [URL]}
mkdir -p "$out"
out=$(cd "$out" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "there is no Chromium: apt-get install chromium" >&2
    exit 1
fi
if [ $# -lt 2 ]; then
    cargo run -q --example page >"$out/page.html"
    url="file://$out/page.html"
else
    url=$2
fi
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
# A window is not narrower than 500 pixels: a phone's page is taken in a frame of its width.
shot() { # NAME WIDTH HEIGHT FLAGS…
    local name=$1 width=$2 height=$3
    shift 3
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
        --window-size="$width,$height" --virtual-time-budget=2000 --screenshot="$out/$name.png" "$@" >/dev/null 2>&1
    echo "$out/$name.png"
}
phone="$out/phone.html"
printf '<!doctype html><body style="margin:0"><iframe src="%s" style="border:0;width:390px;height:1720px"></iframe>' "$url" >"$phone"
dark=--blink-settings=preferredColorScheme=0
light=--blink-settings=preferredColorScheme=1
shot desktop-light 1280 960 "$light" "$url"
shot desktop-dark 1280 960 "$dark" "$url"
shot phone-light 500 1720 "$light" "file://$phone"
shot phone-dark 500 1720 "$dark" "file://$phone"
rm -f "$phone"
