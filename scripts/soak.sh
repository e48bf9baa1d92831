#!/bin/sh
# Plays a setlist on a JACK server of its own, at 64 frames, while all that may change changes at random: values,
# scenes, songs, the files, MIDI, connections, the block length, the server itself.
#
# usage: soak.sh [SECONDS] [--sanitize] [--async] [--seed N] [--server-seconds N]
#
# By default 600 seconds. --sanitize: under RealtimeSanitizer; --async: on a server that waits for nobody, and says who was late;
# --server-seconds: how long a server lives, about.
#
# Ends with 1 after a crash, a violation, a hang, growing memory or a step in the sound, and says what it was.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product stompline >/dev/null
swift build -c release --product soak-partner >/dev/null
scripts/clear-jack.sh
exec python3 scripts/soak/soak.py "$@"
