#!/bin/sh
# Fuzzes the decoder of pipeline files with libFuzzer: scripts/fuzz.sh [SECONDS], by default 600.
# What is looked for: traps, hangs, and results that contradict themselves; the decoder has no unsafe code.
# Exit status 0 without a finding; otherwise not 0, and the input that did it lies in .build-fuzz/findings.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
folder=.build-fuzz
mkdir -p "$folder/sources" "$folder/corpus" "$folder/findings"

# One module of all that the decoder is made of: coverage sees every branch of it. Its own imports of itself go.
rm -f "$folder"/sources/*
for module in Realtime Processing Pipelines; do
    find "Sources/$module" -name '*.swift' | while read -r file; do
        sed -E '/^(public|internal|package) import (Realtime|Processing|Pipelines)$/d' "$file" \
            > "$folder/sources/$module-$(basename "$file")"
    done
done
for file in Tests/PipelinesTests/FakeCatalogue.swift Tests/PipelinesTests/FakePlugins.swift \
    scripts/fuzz/FuzzPipelines.swift; do
    sed -E '/^(public|internal|package) import (Realtime|Processing|Pipelines)$/d' "$file" \
        > "$folder/sources/Fuzz-$(basename "$file")"
done

printf 'module CRealtime { header "%s/Sources/CRealtime/include/CRealtime.h" export * }\n' "$PWD" \
    > "$folder/module.modulemap"
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
[ -x "$clang" ] || clang=clang
"$clang" -O1 -c Sources/CRealtime/CRealtime.c -I Sources/CRealtime/include \
    -o "$folder/CRealtime.o"
swiftc -O -wmo -swift-version 6 -sanitize=fuzzer -parse-as-library -package-name stompline \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny \
    -module-name FuzzPipelines -I Sources/CRealtime/include \
    -Xcc -fmodule-map-file="$PWD/$folder/module.modulemap" -Xcc -march=x86-64-v2 \
    "$folder"/sources/*.swift "$folder/CRealtime.o" -o "$folder/fuzz-pipelines"

for seeds in pipelines Tests/PipelinesTests/Valid Tests/PipelinesTests/Broken; do
    [ -d "$seeds" ] && find "$seeds" -name '*.json' -size -20k \
        -exec sh -c 'cp "$1" "$2/corpus/seed-$(basename "$1")"' _ {} "$folder" \;
done

"$folder/fuzz-pipelines" "$folder/corpus" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=16384 -dict=scripts/fuzz/pipelines.dict \
    -artifact_prefix="$folder/findings/" -print_final_stats=1
