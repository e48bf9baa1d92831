#!/bin/sh
# Measures how audible every kind of change is, in sines, in speech by espeak-ng, and in music.
#
# usage: clicks.sh [OPTION…]     options of click-meter: --trials 2, --seed 1, --block 64, --only
# NAME, --markdown, --music FILE
#
# The music is a loop of sonic-pi-samples if that is installed, otherwise chords and drums. Exits
# with status 1 if a limit is exceeded.
set -eu
cd "$(dirname "$0")/../.."
scripts/build/product.sh click-meter stompline
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

espeak-ng -v en-us+m3 -s 150 -w "$folder/speech.wav" \
    'The quick brown fox jumps over the lazy dog. Singing along the shore, we heard the voices rise and fall.'
set -- --speech "$folder/speech.wav" "$@"
loop=/usr/share/sonic-pi/samples/loop_amen.flac
[ ! -e "$loop" ] || set -- --music "$loop" "$@"
.build/release/click-meter --host-program "$PWD/.build/release/stompline" "$@"
