#!/usr/bin/env bash
# Measures the coverage of the fuzzing corpus: runs all inputs once in an instrumented program, and
# prints the coverage of each module.
#
# usage: coverage.sh [--files]     --files: a line per file instead of per module
#
# The inputs are the corpus in the repository, and those that scripts/fuzz/fuzz.sh has found on this
# machine.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$PWD/.build-fuzz-coverage
found=$PWD/.build-fuzz
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
export STOMPLINE_FUZZ=1
mkdir -p "$folder"
swift build -c release --scratch-path "$folder" --product fuzz -Xswiftc -enable-testing \
    -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping \
    -Xlinker "$(scripts/fuzz/fuzzer-library.sh)" -Xlinker -lstdc++ >"$folder/build.log" 2>&1 || {
    grep -v "^    /" "$folder/build.log" >&2
    exit 1
}
program=$folder/release/fuzz
rm -rf "$folder/profiles"
mkdir -p "$folder/profiles"
for target in $("$program" --list); do
    seeds=$folder/seeds/$target
    mkdir -p "$seeds"
    "$program" --seeds "$target" "$seeds"
    inputs=$folder/inputs
    find "$seeds" Tests/Fuzz/Corpus/"$target" "$found/corpus/$target" "$found/seeds/$target" -type f \
        >"$inputs" 2>/dev/null || true
    LLVM_PROFILE_FILE=$folder/profiles/$target-%p.profraw xargs -r -n 500 "$program" "$target" \
        <"$inputs" >"$folder/$target.log" 2>&1 || {
        tail -n 20 "$folder/$target.log" >&2
        exit 1
    }
done
"$tools/llvm-profdata" merge -sparse "$folder"/profiles/*.profraw -o "$folder/profile"
"$tools/llvm-cov" export -summary-only -instr-profile="$folder/profile" "$program" \
    >"$folder/coverage.json"
scripts/fuzz/coverage.py "$folder/coverage.json" "$PWD" "$@"
