#!/bin/sh
# Compares every installed LV2 plugin's output in the engine with that in the bare C host: a line
# for each, then a table. Fails if a plugin differs or crashes that is not a known exception.
#
# usage: survey-plugins.sh [--isolated]     --isolated: each plugin in an isolated, sandboxed process in the engine;
#                                           also prints the system calls that a sandbox refused
set -eu
cd "$(dirname "$0")/../.."
scripts/build/product.sh bare-lv2-host plugin-survey
[ "${1:-}" != --isolated ] || scripts/build/product.sh stompline
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
status=0
.build/release/plugin-survey "$@" >"$lines" 2>/dev/null || status=$?
cat "$lines"
echo
cut -f2 "$lines" | sort | uniq -c | sort -rn
exit "$status"
