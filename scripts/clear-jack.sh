#!/bin/sh
# Takes away what killed JACK servers left in shared memory: eight of them, and no new one starts. Where any server runs,
# nothing is touched.
set -eu
for process in /proc/[0-9]*/comm; do
    case $(cat "$process" 2>/dev/null || true) in
    jackd | jackdbus) exit 0 ;;
    esac
done
rm -f /dev/shm/jack-shm-registry /dev/shm/jack-[0-9]* /dev/shm/jack_* 2>/dev/null || true
