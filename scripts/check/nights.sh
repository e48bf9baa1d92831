#!/bin/sh
# Plays random nights with faults, and checks that each replay is equal to the bit and finds the fault: effects on one
# core, and in branches on two cores, then also loopers, and players whose data comes late. Then each effect plays in a
# box that loses its beginning, and continues from strange states. At last it lets programs die in the middle of a
# cycle, and replays what they leave.
#
# nights.sh [NIGHTS [SEED]]
set -eu
cd "$(dirname "$0")/../.."
nights=${1:-100}
seed=${2:-1}
scripts/build/product.sh random-nights
program=.build/release/random-nights
folder=$(mktemp -d "${XDG_RUNTIME_DIR:-/dev/shm}/stompline-nights-XXXXXX")
trap 'rm -rf "$folder"' EXIT
# Nights that die leave their sounds behind.
export TMPDIR="$folder"
"$program" --folder "$folder" --nights "$nights" --seed "$seed"
"$program" --folder "$folder" --nights $((nights / 10 + 1)) --seed "$seed" --cores 2
"$program" --folder "$folder" --nights $((nights / 4 + 1)) --seed "$seed" --sounds
"$program" --folder "$folder" --nights $((nights / 10 + 1)) --seed "$seed" --sounds --cores 2
"$program" --folder "$folder" --kinds --nights 8 --seed "$seed" --seconds 8 --window 6
"$program" --folder "$folder" --strange --nights 2 --seed "$seed" >"$folder/strange.txt" ||
    { tail -n 1 "$folder/strange.txt"; exit 1; }
for options in "" "--sounds" "--sounds --cores 2"; do
    # Without quotes, because the options are several words.
    "$program" --folder "$folder" --seed "$seed" $options --die 2>/dev/null && exit 1
    "$program" --folder "$folder" --seed "$seed" $options --rescue
done
