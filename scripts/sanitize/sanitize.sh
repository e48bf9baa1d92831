#!/bin/sh
# Runs the callback of every pipeline under RealtimeSanitizer, on a real JACK server, with random
# changes.
#
# Each pipeline is the first song of a setlist of three songs; the other two follow it in the list. Two
# cores run its nodes. The setlists with nodes of their own and the program itself use one core.
# Without names of pipelines, it also runs a song with every feature of the stage, setlists with nodes
# around their songs, our LV2 plugins in another host, and the program itself on the tour of all features (scripts/endurance/soak/tour.py).
#
# usage: sanitize.sh [SECONDS [PIPELINE...]]     seconds per pipeline (default: 3); default: all of
#        pipelines/ except setlists, whose songs are in the folder too, and those of
#        Tests/Tools/Stress: isolated plugins, plugins with workers and MIDI, misbehaving plugins,
#        and all plugins of our LV2 bundle; two servers share them
#
# Exits with 43 at the first violation, after the sanitizer's report. First it proves that a
# violation is detected.
set -eu
cd "$(dirname "$0")/../.."

seconds=${1:-3}
[ $# -eq 0 ] || shift
all=
[ $# -gt 0 ] || all=yes
# Which share of all pipelines this script checks, if it has started itself.
share=${STOMPLINE_SANITIZE_SHARE:-}

# The program itself hosts isolated plugins.
scripts/build/product.sh stress bare-lv2-host stompline
# The plugins of our LV2 bundle, from the current sources.
scripts/build/plugins.sh
stress=$PWD/.build/release/stress

library=$(scripts/sanitize/rtsan-library.sh)

scripts/clear-jack.sh
server=stompline-sanitize-$$
# The stream of web-radio.json.
radio=
if [ -z "$share" ]; then
    python3 -m http.server 8017 --bind 127.0.0.1 --directory pipelines/sounds >/dev/null 2>&1 &
    radio=$!
fi
jackd -n "$server" -d dummy -r 48000 -p 64 >/dev/null 2>&1 &
jackd=$!
takes=$PWD/.build/stress-takes$share
rm -rf "$takes"
trap 'kill $jackd $radio 2>/dev/null || true; wait $jackd $radio 2>/dev/null || true; rm -rf "$takes"' EXIT
trap 'exit 130' INT TERM
JACK_DEFAULT_SERVER=$server jack_wait -s "$server" -w -t 5 >/dev/null 2>&1 || sleep 1

# Plugins that take too long, output NaN and so on when triggered.
hostile=.build/stress-plugins$share
mkdir -p "$hostile/brutal.lv2"
cp Tests/LV2Tests/Hostile/brutal.lv2/*.ttl Tests/LV2Tests/Hostile/brutal.lv2/brutal.c "$hostile/brutal.lv2"
cc -shared -fPIC -O1 "$hostile/brutal.lv2/brutal.c" -o "$hostile/brutal.lv2/brutal.so" -lm

log=.build/sanitize$share.log
# Runs the program under the sanitizer. The preload is set by env and not for the shell, so that
# nothing else is checked.
#
# Two runs overload the processors with real-time threads, so a server may not accept a client in time;
# nothing has been checked then, and the run starts again.
watched() {
    for _ in 1 2 3 4; do
        result=0
        timeout 120 env LD_PRELOAD="$library" \
            RTSAN_OPTIONS="suppressions=$PWD/scripts/sanitize/rtsan-suppressions.txt" \
            "$stress" --server "$server" --takes "$takes" --plugins plugins --plugins "$hostile" "$@" >"$log" 2>&1 || result=$?
        if ! grep -q "^Error: noServer" "$log" || a_process_ended; then break; fi
        sleep 3
    done
    return "$result"
}

# Returns whether the process of an isolated plugin ended by itself: it is checked as well, and the
# sanitizer ends only that process. If it was too late for the host, that is no violation: the
# pipelines are far too much for a machine with this sanitizer.
a_process_ended() {
    grep -Eq ": its process (exited|was terminated|was abandoned|was killed because|has ended)" "$log"
}

status=0
watched --seconds 2 --violate || status=$?
if [ "$status" != 43 ]; then
    cat "$log" >&2
    echo "sanitize: a node that allocates was not caught (status $status)" >&2
    exit 1
fi
echo "sanitize: a node that allocates is caught"

# Prints the next two pipelines of the list, which continues at its start.
behind() {
    wanted=$1
    shift
    while [ "$1" != "$wanted" ]; do set -- "$@" "$1" && shift; done
    echo "${2-} ${3-}"
}

if [ "$all" ]; then
    # shellcheck disable=SC2046 # one word a pipeline
    set -- $(grep -L '^ *"setlist":' pipelines/*.json) Tests/Tools/Stress/*.json
    # shellcheck disable=SC2046
    STOMPLINE_SANITIZE_SHARE=-1 scripts/sanitize/sanitize.sh "$seconds" $(printf '%s\n' "$@" | sed -n '1~2p') &
    first=$!
    status=0
    # shellcheck disable=SC2046
    STOMPLINE_SANITIZE_SHARE=-2 scripts/sanitize/sanitize.sh "$seconds" $(printf '%s\n' "$@" | sed -n '2~2p') || status=$?
    wait "$first" || status=$?
    [ "$status" = 0 ] || exit "$status"
    set --
fi

for pipeline; do
    status=0
    # shellcheck disable=SC2046 # one word a pipeline
    watched --seconds "$seconds" --cores 2 "$pipeline" $(behind "$pipeline" "$@") || status=$?
    if [ "$status" = 0 ] && a_process_ended; then status=43; fi
    if [ "$status" != 0 ]; then
        cat "$log" >&2
        echo "sanitize: $pipeline: status $status" >&2
        exit "$status"
    fi
    echo "sanitize: $pipeline: no violation, $(tail -n 1 "$log" | sed 's/.*: //')"
done
[ "$all" ] || exit 0

# A song with every feature, with more random actions and messages.
show=.build/stress-show
rm -rf "$show"
mkdir -p "$show"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=scripts/endurance/soak python3 - "$show" <<'END'
import json, shutil, sys
import show_song
for name in show_song.SOUNDS:
    shutil.copy("pipelines/sounds/" + name, sys.argv[1])
with open(sys.argv[1] + "/show.json", "w") as file:
    json.dump(show_song.song(), file)
END
status=0
watched --seconds "$((5 * ${seconds%.*} + 5))" --expect "scenes applied" --expect "cues announced" --expect fades --expect keys \
    --expect comparisons --expect "values reported" --expect "messages received" \
    --cores 2 --expect "loads of a second core" "$show/show.json" || status=$?
if [ "$status" != 0 ]; then
    cat "$log" >&2
    echo "sanitize: the song with every feature: status $status" >&2
    exit "$status"
fi
echo "sanitize: every feature: no violation, $(tail -n 1 "$log" | sed 's/.*: //')"

# Setlists with nodes of their own: the shipped one, and one whose nodes and songs are edited.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=scripts/endurance/soak python3 - "$show" <<'END'
import os, random, sys
from setlist import Setlist
def version(name):
    """Returns the setlist of the soak in a folder of its own, with the same songs each time."""
    folder = os.path.join(sys.argv[1], name)
    os.mkdir(folder)
    return Setlist(folder, random.Random(1))
version("first")
without = version("without")
without.has_outer = False
without.save_list()
more = version("more")
first, *others = more.outer["after"]
more.outer["after"] = [{"id": "shine", "type": "filter", "from": "dry"}, {**first, "from": "shine"}, *others]
more.save_list()
edited = version("edited")
for _ in range(8):
    edited.edit()
END
play_setlist() {
    status=0
    watched --seconds "$((3 * ${seconds%.*} + 3))" --expect "songs begun" --expect edits "$@" || status=$?
    if [ "$status" = 0 ] && a_process_ended; then status=43; fi
    if [ "$status" != 0 ]; then
        cat "$log" >&2
        echo "sanitize: the setlist $1: status $status" >&2
        exit "$status"
    fi
    echo "sanitize: $1: no violation, $(tail -n 1 "$log" | sed 's/.*: //')"
}
play_setlist pipelines/night.json
play_setlist "$show/first/night.json" --edited "$show/without/night.json" --edited "$show/more/night.json" \
    --edited "$show/edited/night.json"

# Our plugins in another host, a program in C.
noise=.build/stress-noise.raw
python3 -c 'import array, random, sys
random.seed(1)
array.array("f", (random.uniform(-0.5, 0.5) for _ in range(2 * 64 * 1500))).tofile(open(sys.argv[1], "wb"))' "$noise"
plugins=0
for plugin in $(sed -n 's/.*"uri": "\(urn:stompline:[^"]*\)".*/\1/p' Tests/Tools/Stress/bundled.json); do
    status=0
    timeout 120 env LV2_PATH="$PWD/plugins" LD_PRELOAD="$library" .build/release/bare-lv2-host "$plugin" "$noise" /dev/null \
        >"$log" 2>&1 || status=$?
    if [ "$status" != 0 ]; then
        cat "$log" >&2
        echo "sanitize: $plugin in another host: status $status" >&2
        exit "$status"
    fi
    plugins=$((plugins + 1))
done
[ "$plugins" -gt 0 ] || { echo "sanitize: Tests/Tools/Stress/bundled.json names no plugin" >&2; exit 1; }
echo "sanitize: $plugins plugins in another host: no violation"

# The program itself, with real MIDI and OSC.
kill $jackd 2>/dev/null || true
scripts/endurance/soak.sh 0 --sanitize
