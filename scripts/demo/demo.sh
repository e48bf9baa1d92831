#!/bin/sh
# Plays speech through a shipped pipeline, live, and records the output in demo.wav.
#
# usage: demo.sh [PIPELINE]     default: pipelines/robot-voice.json
#
# It uses the running JACK server. Without one, stompline starts a server (a silent one if there is
# no sound card), unless JACK_NO_START_SERVER is set.
set -eu
cd "$(dirname "$0")/../.."
pipeline=${1:-pipelines/robot-voice.json}
client=demo-$$
text="Stompline is playing live. A voice goes in, and a robot comes out. It never clicks, it never stops, and it is never late."

scratch=$(mktemp -d)
: >"$scratch/events"
# The ids of the processes that run in the background.
started=
cleanup() {
    # shellcheck disable=SC2086 # one word a process
    [ -z "$started" ] || kill $started 2>/dev/null || true
    wait
    rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

rm -f demo.wav
scripts/clear-jack.sh
espeak-ng -v en-us+m3 -s 150 -a 60 -w "$scratch/voice.wav" "$text"

# If the demo starts its own server, it uses a unique name to avoid conflicts with others.
server=
if [ -z "${JACK_NO_START_SERVER+set}" ] && ! timeout 5 jack_wait -c 2>/dev/null | grep -q '^running'; then
    JACK_DEFAULT_SERVER=$client-server
    export JACK_DEFAULT_SERVER
    server="--server $client-server"
fi

# shellcheck disable=SC2086 # two words or none
.build/release/stompline run "$pipeline" $server --name "$client" --no-connect --json >"$scratch/events" &
program=$!
started=$program
tries=0
until grep -q '"started"' "$scratch/events"; do
    tries=$((tries + 1))
    kill -0 "$program" 2>/dev/null && [ "$tries" -lt 100 ] || {
        echo "demo: the pipeline did not start" >&2
        exit 1
    }
    sleep 0.1
done

inputs=$(jack_lsp -p | awk -v c="$client:" 'index($0, c) == 1 { port = $0 } /input/ && port { print port; port = "" } /properties/ { port = "" }')
outputs=$(jack_lsp -p | awk -v c="$client:" 'index($0, c) == 1 { port = $0 } /output/ && port { print port; port = "" } /properties/ { port = "" }')
input=$(echo "$inputs" | head -n 1)

# The player uses the server's rate, whatever the file's rate is.
echo '{"version": 1, "inputs": {"in": {}}, "outputs": {"out": {}}, "nodes": []}' >"$scratch/wire.json"
.build/release/stompline render "$scratch/wire.json" --rate "$(jack_samplerate)" \
    --input "$scratch/voice.wav" --output "$scratch/voice-at-rate.wav"

echo "demo: speech -> $input, and $(echo $outputs) -> demo.wav"
# shellcheck disable=SC2086 # one word a port; the client's name has no space
timeout 20 jack_rec -f demo.wav -d 10 -b 24 $(echo "$outputs" | head -n 2) >/dev/null 2>&1 &
recorder=$!
timeout 20 sndfile-jackplay -a="$input" "$scratch/voice-at-rate.wav" >/dev/null 2>&1 &
player=$!
tail -n +1 -f -s 0.2 --pid="$program" "$scratch/events" | /usr/bin/python3 scripts/demo/summary.py demo.wav &
summary=$!
started="$program $recorder $player"
wait "$recorder" || echo "demo: recording failed" >&2
kill -INT "$program"
wait "$program" || echo "demo: the program ended with status $?" >&2
wait "$summary"
