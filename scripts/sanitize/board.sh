#!/bin/sh
# Runs the board that hands tasks to several cores under ThreadSanitizer, with random graphs, and
# checks the results.
#
# usage: board.sh [WORKERS [GRAPHS]]     default: 3 workers, 200 graphs
#
# Exits with 66 if ThreadSanitizer finds a data race. First it proves that a race is detected: the
# same program with a claim that acquires nothing.
set -eu
cd "$(dirname "$0")/../.."

folder=.build/board-race
mkdir -p "$folder/CRealtime"
cat >"$folder/CRealtime/module.modulemap" <<EOF
module CRealtime { umbrella header "$PWD/Sources/CRealtime/include/CRealtime.h" export * }
EOF

# Builds the program from a folder with the sources of the board.
build() {
    swiftc -O -sanitize=thread -package-name stompline -I "$folder/CRealtime" -Xcc -march=x86-64-v2 -o "$1" \
        Sources/Engine/Cores/TaskRun.swift Sources/Engine/Cores/WorkerLead.swift \
        Sources/Engine/Steps/ActiveNodeMarker.swift \
        "$2" Tests/Tools/BoardRace/main.swift
}

sed 's/ordering: \.acquiringAndReleasing/ordering: .relaxed/; s/ordering: \.releasing/ordering: .relaxed/' \
    Sources/Engine/Cores/TaskBoard.swift >"$folder/TaskBoard.swift"
build "$folder/broken" "$folder/TaskBoard.swift"
if "$folder/broken" 3 20 >"$folder/broken.log" 2>&1; then
    echo "ThreadSanitizer does not detect a race" >&2
    exit 1
fi
build "$folder/board-race" Sources/Engine/Cores/TaskBoard.swift
"$folder/board-race" "${1:-3}" "${2:-200}"
