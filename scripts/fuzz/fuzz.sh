#!/usr/bin/env bash
# Fuzzes every parser and state machine that receives data from outside; docs/fuzzing.md describes
# the targets.
#
# usage: fuzz.sh [SECONDS [TARGET...]]     seconds per target (default: 600); default: all targets
#        fuzz.sh --build                   builds the program and prints its path
#        fuzz.sh --minimise [TARGET...]    replaces the committed corpus by the smallest with the same coverage
#
# As many targets run in parallel as there are processors (or FUZZ_JOBS). FUZZ_SEED is the seed of
# the random numbers (default: 1). With FUZZ_DEBUG_INFO=dwarf, stack traces name lines; the build then
# takes longer. Exit status 0 without a finding; otherwise 1, and the input is in
# .build-fuzz/findings/TARGET.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$PWD/.build-fuzz
committed=$PWD/Tests/Fuzz/Corpus
program=$folder/release/fuzz
export STOMPLINE_FUZZ=1
# libFuzzer reports crashes itself. The leak sanitizer mistakes pointers with data in their spare
# bits, which Swift uses, for leaks; the targets count memory themselves. The other options make the
# sanitizer faster.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:malloc_context_size=4:quarantine_size_mb=16:allocator_release_to_os_interval_ms=-1

build() {
    local library
    library=$(scripts/fuzz/fuzzer-library.sh)
    mkdir -p "$folder/logs"
    # Address sanitizer for all code. Package.swift adds the fuzzer's coverage to our Swift modules, and the
    # undefined-behaviour sanitizer to our C code. Swift itself traps.
    swift build -c release --scratch-path "$folder" --product fuzz --sanitize address \
        -debug-info-format "${FUZZ_DEBUG_INFO:-none}" \
        -Xlinker "$library" -Xlinker -lstdc++ >"$folder/build.log" 2>&1 || {
        # Omits the long list of files that belong to other targets.
        grep -v "^    /" "$folder/build.log" >&2
        exit 1
    }
}

# Prints the options that differ between targets.
options() {
    case $1 in
    pipeline) echo "-max_len=16384 -dict=Tests/Fuzz/pipeline.dict" ;;
    text-edit | patch | save) echo "-max_len=4096 -dict=Tests/Fuzz/pipeline.dict" ;;
    *) echo "-max_len=4096" ;;
    esac
}

# Collects the inputs of the tests and of the target itself in a separate folder.
seeds() {
    local target=$1 seeds=$folder/seeds/$1
    rm -rf "$seeds"
    mkdir -p "$seeds" "$folder/corpus/$target" "$folder/findings/$target" "$committed/$target"
    "$program" --seeds "$target" "$seeds"
    case $target in
    pipeline)
        find pipelines Tests/PipelinesTests/Valid Tests/PipelinesTests/Broken -name '*.json' -size -20k \
            -exec cp -t "$seeds" {} +
        ;;
    esac
}

# Runs one target and prints a line about it.
run() {
    local target=$1 seconds=$2 log=$folder/logs/$1.log status=0
    seeds "$target"
    # shellcheck disable=SC2046 # one word per option
    "$program" "$target" "$folder/corpus/$target" "$committed/$target" "$folder/seeds/$target" \
        -max_total_time="$seconds" -seed="${FUZZ_SEED:-1}" -timeout=20 -rss_limit_mb=3072 \
        -artifact_prefix="$folder/findings/$target/" -print_final_stats=1 $(options "$target") \
        >"$log" 2>&1 || status=$?
    local executions
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    if [ "$status" = 0 ]; then
        printf 'fuzz: %-13s %9s executions, no finding\n' "$target" "$executions"
    else
        printf 'fuzz: %-13s %9s executions, A FINDING: %s\n' "$target" "${executions:-0}" \
            "$(grep -hE 'Fatal error|Swift runtime failure|ERROR: |SUMMARY: ' "$log" | head -n 1 | cut -c -160)"
        sed -n 's/.*Test unit written to /fuzz:   the input is /p' "$log"
        echo "fuzz:   docs/fuzzing.md explains how to reproduce it; the log is $log"
        return 1
    fi
}

minimise() {
    local target=$1
    seeds "$target"
    rm -rf "$folder/minimised/$target"
    mkdir -p "$folder/minimised/$target"
    # shellcheck disable=SC2046 # one word per option
    "$program" "$target" -set_cover_merge=1 -timeout=20 -rss_limit_mb=3072 $(options "$target") \
        "$folder/minimised/$target" "$committed/$target" "$folder/corpus/$target" >"$folder/logs/$target.log" 2>&1
    # Long inputs are rare and slow, and take most of the space.
    find "$folder/minimised/$target" -type f -size +"${FUZZ_CORPUS_KIB:-3}"k -delete
    # Former findings have a name; other inputs are named by their hash.
    find "$committed/$target" -type f ! -regex '.*/[0-9a-f]*' -exec mv -t "$folder/minimised/$target" {} +
    rm -rf "${committed:?}/$target"
    mv "$folder/minimised/$target" "$committed/$target"
    echo "fuzz: $target: $(find "$committed/$target" -type f | wc -l) inputs"
}

if [ "${1-}" = --one ]; then
    # This script starts itself for each of several parallel targets.
    "$2" "$3" "${4-}"
    exit
fi
build
case ${1-} in
--build)
    echo "$program"
    exit
    ;;
--minimise)
    work=minimise
    seconds=
    shift
    ;;
*)
    work=run
    seconds=${1:-600}
    [ $# -eq 0 ] || shift
    ;;
esac
[ $# -gt 0 ] || mapfile -t all < <("$program" --list)
printf '%s\n' "${@:-${all[@]}}" |
    xargs -P "${FUZZ_JOBS:-$(nproc)}" -I TARGET scripts/fuzz/fuzz.sh --one "$work" TARGET "$seconds" || exit 1
