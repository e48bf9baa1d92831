#!/bin/sh
# Plays random nights with faults, and checks that each replay is equal to the bit and finds the fault. Then it lets
# programs die in the middle of a cycle, and replays what they leave.
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
"$program" --folder "$folder" --nights "$nights" --seed "$seed"
for number in 1 2 3; do
    "$program" --folder "$folder" --seed $((seed + number)) --die 2>/dev/null && exit 1
    "$program" --folder "$folder" --seed $((seed + number)) --rescue
done
