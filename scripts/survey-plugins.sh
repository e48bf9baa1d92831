#!/bin/sh
# Compares every installed LV2 plugin's output with the bare C host's, and prints a line for each and a table.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product bare-lv2-host >&2
swift build -c release --product plugin-survey >&2
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
.build/release/plugin-survey 2>/dev/null | tee "$lines"
echo
cut -f2 "$lines" | sort | uniq -c | sort -rn
