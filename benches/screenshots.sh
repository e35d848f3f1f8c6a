#!/usr/bin/env bash
# Pictures of a report's page in a browser without a window: desktop and phone width, light and dark.
#
#   benches/screenshots.sh target/report/report-quick.html [FOLDER]
#
# Needs Chromium: apt-get install chromium
set -euo pipefail
page=$(realpath "$1")
folder=${2:-$(dirname "$page")}
mkdir -p "$folder"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

# A browser's window is at least 500 pixels wide: the page stands in a frame of the width that is wanted.
shoot() { # NAME WIDTH HEIGHT SCHEME
    local frame="$profile/$1.html" scheme=1
    [ "$4" = dark ] && scheme=0
    printf '<body style="margin:0"><iframe src="file://%s" style="border:0;width:%spx;height:%spx"></iframe>' \
        "$page" "$2" "$3" >"$frame"
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile/data" \
        --blink-settings=preferredColorScheme=$scheme --window-size="$2,$3" \
        --screenshot="$folder/$1.png" "file://$frame" 2>/dev/null
    echo "$folder/$1.png"
}

for scheme in light dark; do
    shoot "desktop-$scheme" 1280 "${HEIGHT:-9000}" $scheme
    shoot "phone-$scheme" 390 "${HEIGHT:-9000}" $scheme
done
