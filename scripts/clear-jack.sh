#!/bin/sh
# Removes the shared memory of killed JACK servers and clients. With that of eight servers, no new
# one starts; each killed client keeps its locks in the metadata store until the store is full. Does
# nothing if any server is running.
set -eu
for process in /proc/[0-9]*; do
    # A server that has exited and was not reaped does not count.
    case $(sed -n '/^Name:/s/.*\t//p; /^State:/s/.*\t\(.\).*/\1/p' "$process/status" 2>/dev/null | tr '\n' ' ' || true) in
    "jackd Z "* | "jackdbus Z "*) ;;
    "jackd "* | "jackdbus "*) exit 0 ;;
    esac
done
rm -rf /dev/shm/jack-shm-registry /dev/shm/jack-[0-9]* /dev/shm/jack_* 2>/dev/null || true
