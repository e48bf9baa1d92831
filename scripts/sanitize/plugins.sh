#!/bin/sh
# Runs every installed LV2 plugin under RealtimeSanitizer. Prints a line for each plugin that
# allocates, locks or makes system calls in its run, followed by counts.
#
# usage: plugins.sh [BLOCKS]     number of 64-frame blocks for each plugin (default: 400)
#
# Nothing is suppressed. The script fails if a plugin that docs/plugins.md does not list violates
# the rules.
set -eu
cd "$(dirname "$0")/../.."
blocks=${1:-400}

scripts/build/product.sh plugin-survey
library=$(scripts/sanitize/rtsan-library.sh)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

.build/release/plugin-survey --list >"$folder/all"
# shellcheck disable=SC2016 # the inner shell expands these
xargs -P "$(nproc)" -I {} sh -c '
    log=$1/$(printf %s "$4" | tr -c "A-Za-z0-9\n" _)
    timeout 60 env LD_PRELOAD="$2" RTSAN_OPTIONS=halt_on_error=false \
        .build/release/plugin-survey --play "$4" "$3" >"$log.out" 2>"$log.err" || echo "ends with status $?" >>"$log.out"
    calls=$(sed -n "s/.*real-time unsafe function \`\([a-z_A-Z0-9]*\).*/\1/p" "$log.err" | sort -u | paste -sd " ")
    printf "%s\t%s\t%s\n" "$4" "$(head -c 200 "$log.out" | paste -sd " ")" "$calls"
' sh "$folder" "$library" "$blocks" {} <"$folder/all" | sort >"$folder/table"

awk -F '\t' '$3 != "" { print $1 "\t" $3 }' "$folder/table"
echo
awk -F '\t' '{ count[$3 != "" ? "break the rules of real time" : $2 ~ /^plays/ ? "keep them" : "not played"]++ }
    END { for (kind in count) print count[kind] "\t" kind }' "$folder/table"

status=0
for plugin in $(awk -F '\t' '$3 != "" { print $1 }' "$folder/table"); do
    grep -qF "$plugin" docs/plugins.md || {
        echo "sanitize-plugins: docs/plugins.md does not name $plugin" >&2
        status=1
    }
done
exit "$status"
