#!/bin/sh
# Compares every installed LV2 plugin's output in the engine with the bare C host's: a line for each, then a table.
# Fails where one differs or crashes that is not known to.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product bare-lv2-host >&2
swift build -c release --product plugin-survey >&2
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
status=0
.build/release/plugin-survey >"$lines" 2>/dev/null || status=$?
cat "$lines"
echo
cut -f2 "$lines" | sort | uniq -c | sort -rn
exit "$status"
