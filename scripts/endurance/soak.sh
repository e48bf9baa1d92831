#!/bin/sh
# Runs a setlist on a separate JACK server, at 64 frames, with random changes of everything: values,
# scenes, songs, the files, MIDI, connections, the block size, the server itself.
#
# usage: soak.sh [SECONDS] [--sanitize] [--async] [--pipewire [--waits]] [--seed N] [--server-seconds N] [--only KIND,…]
#
# The default is 600 seconds. --sanitize: under RealtimeSanitizer; --async: on a server that waits
# for no client, and reports overruns; --pipewire: on a PipeWire of its own; --waits: one that waits
# for its clients; --server-seconds: the approximate lifetime of a server.
#
# Exits with 1 after a crash, a violation, a hang, growing memory or a step in the sound, and
# reports it.
set -eu
cd "$(dirname "$0")/../.."
scripts/build/product.sh stompline soak-partner
scripts/clear-jack.sh
exec python3 scripts/endurance/soak/soak.py "$@"
