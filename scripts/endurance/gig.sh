#!/bin/sh
# Plays pipelines/night.json for a minute as a musician would: presses pedals, moves values, saves,
# edits songs, breaks a file, kills the server and the program, and checks all sound and all answers.
#
# usage: gig.sh
#
# The night is played from a copy of pipelines/, on a separate JACK server that waits for its
# clients. Exits with 1 if a sample is not finite, a step is too large, a sound is missing, silence
# is not silent, or an answer is missing or wrong. The sound and the logs are then kept in .build.
set -eu
cd "$(dirname "$0")/../.."
scripts/build/product.sh stompline gig-partner
scripts/clear-jack.sh
PYTHONPATH=scripts/endurance/soak exec /usr/bin/python3 scripts/endurance/gig/gig.py "$@"
