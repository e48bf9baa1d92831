#!/bin/sh
# Runs a setlist with two instances on one JACK server while everything around them fails: servers,
# plugins, child processes, the disk, descriptors, memory, files, and senders of invalid data.
#
# usage: chaos.sh [SECONDS] [--seed N] [--only KIND,KIND]
#
# The default is an hour. The script needs root or unprivileged user namespaces: it works in its own
# process, mount and network namespace, so that everything left at the end was left by the program.
#
# Exits with 1 after a crash, a hang, a click, a NaN, an unreadable take or a leak, and reports it.
set -eu
cd "$(dirname "$0")/../.."
scripts/build/product.sh stompline soak-partner

as_root=
[ "$(id -u)" = 0 ] || as_root=--map-root-user
# shellcheck disable=SC2086 # no word or one
exec unshare $as_root --mount --net --pid --fork --mount-proc --kill-child sh -eu -c '
    mount -t tmpfs -o mode=1777 shared /dev/shm
    ip link set lo up
    PYTHONPATH=scripts/endurance/soak exec python3 scripts/endurance/chaos/chaos.py "$@"
' chaos.sh "$@"
