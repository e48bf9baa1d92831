#!/bin/sh
# Takes away what killed JACK servers and clients left in shared memory: eight of those, and no new one starts; and of these
# each keeps its locks in the store of metadata, until there is no room for more. Where any server runs, nothing is touched.
set -eu
for process in /proc/[0-9]*; do
    # One that has ended, and that nobody waited for, does not count.
    case $(sed -n '/^Name:/s/.*\t//p; /^State:/s/.*\t\(.\).*/\1/p' "$process/status" 2>/dev/null | tr '\n' ' ' || true) in
    "jackd Z "* | "jackdbus Z "*) ;;
    "jackd "* | "jackdbus "*) exit 0 ;;
    esac
done
rm -rf /dev/shm/jack-shm-registry /dev/shm/jack-[0-9]* /dev/shm/jack_* 2>/dev/null || true
