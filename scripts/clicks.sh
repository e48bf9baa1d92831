#!/bin/sh
# Measures what is heard of every kind of change, in sines, in speech of espeak-ng's, and in music.
#
# usage: clicks.sh [OPTION…]     as of click-meter: --trials 2, --seed 1, --block 64, --only NAME, --markdown, --music FILE
#
# Music is a loop of Sonic Pi's where sonic-pi-samples is installed, chords and drums otherwise. Ends with status 1 where a
# limit is missed.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product click-meter 1>&2
swift build -c release --product stompline 1>&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

espeak-ng -v en-us+m3 -s 150 -w "$folder/speech.wav" \
    'The quick brown fox jumps over the lazy dog. Singing along the shore, we heard the voices rise and fall.'
set -- --speech "$folder/speech.wav" "$@"
loop=/usr/share/sonic-pi/samples/loop_amen.flac
[ ! -e "$loop" ] || set -- --music "$loop" "$@"
.build/release/click-meter --host-program "$PWD/.build/release/stompline" "$@"
