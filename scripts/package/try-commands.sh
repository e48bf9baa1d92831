#!/bin/sh
# Tries the commands of the installed program as an ordinary user, on a JACK server with the dummy driver.
#
# usage: try-commands.sh     try-deb.sh runs it in an empty Debian, with jackd2
set -eu
cd "$HOME"
pipelines=/usr/share/stompline/pipelines
export JACK_DEFAULT_SERVER=try JACK_NO_START_SERVER=1

fail() {
    echo "try-commands: FAILED: $*" >&2
    exit 1
}
# shows TEXT COMMAND…: runs a command that must succeed and print a text.
shows() {
    text=$1
    shift
    "$@" >output || fail "status $?: $*"
    grep -q -e "$text" output || fail "the output of '$*' has no '$text'"
}
# examines TEXT COMMAND…: the same for a command that ends with 1 if it finds something bad about the machine.
examines() {
    text=$1 status=0
    shift
    "$@" >output || status=$?
    [ $status -le 1 ] || fail "status $status: $*"
    grep -q -e "$text" output || fail "the output of '$*' has no '$text'"
}
# awaits TEXT FILE: waits for a text in the output of a program that runs.
awaits() {
    for _ in $(seq 200); do
        ! grep -q -e "$1" "$2" || return 0
        sleep 0.1
    done
    tail -n 5 "$2" >&2
    fail "'$2' has no '$1'"
}

# Without a server.
shows '^voice ' stompline new --list
stompline new voice.json --template voice --defaults
shows 'voice.json: valid' stompline check voice.json
shows '<svg' stompline graph voice.json --svg
stompline render voice.json --length 1 --output voice.wav
stompline convert voice.wav voice.flac
shows cut stompline bench voice.json --seconds 0.1
examines ' bad, ' stompline prove $pipelines/robot-voice.json --frames 1024 --rate 48000 --seconds 0.1 --passes 1
examines . stompline doctor --seconds 1
shows '^feedback-guard ' stompline effects
shows draft-07 stompline schema
shows '^unknown-key ' stompline reference error-codes
shows '\[\]' stompline remotes --json
shows '^urn:stompline:filter ' stompline plugins stompline
node='{"id": "eq", "type": "lv2", "uri": "urn:stompline:filter"}'
echo '{"version": 1, "inputs": {"mic": {}}, "nodes": ['"$node"']}' >eq.json
stompline preset save eq.json eq Bright
shows Bright stompline plugin urn:stompline:filter

# The script of the service plays. Instead of systemd, a program prints the messages of the service.
perl -MIO::Socket::UNIX -e '
    $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => "notify") or die $!;
    $| = 1;
    print "listening\n";
    print "$text\n" while defined $socket->recv($text, 4096)' >notices &
awaits listening notices
jackd --no-realtime --name try -d dummy --rate 48000 --period 256 >jackd.log 2>&1 &
jack_wait --server try --wait --timeout 20 || {
    tail -n 5 jackd.log >&2
    fail "jackd did not start"
}
shows system:capture_1 stompline ports
mkdir -p .config/stompline
cp -r $pipelines/sing-along.json $pipelines/sounds .config/stompline/
export STOMPLINE_OPTIONS="--osc 0 --duration 600" NOTIFY_SOCKET="$HOME/notify" WATCHDOG_USEC=2000000
/usr/libexec/stompline/stompline-service sing-along >messages 2>&1 &
session=$!
unset NOTIFY_SOCKET WATCHDOG_USEC
awaits 'OSC at UDP' messages
awaits READY=1 notices
awaits WATCHDOG=1 notices
port=$(sed -n 's/.*OSC at UDP .*:\([0-9]*\)$/\1/p' messages)
shows '^track.gain ' stompline ctl --port "$port"

# The box of the session contains the sound of the input and the file of the player; a private report must not.
sleep 1
box=$(stompline ctl --port "$port" keep)
shows 'equal to the bit' stompline replay "$box"
stompline replay "$box" --pack whole.tar
shows '/input-' tar -tf whole.tar
shows '/file-' tar -tf whole.tar
stompline replay "$box" --pack private.tar --privacy
shows '/box.json' tar -tf private.tar
! grep -E '(^|/)(input|file)-' output || fail "a private box contains sound"
kill -TERM $session
wait $session || fail "status $? of the session"
awaits STOPPING=1 notices

# The steps of try-deb.sh play; a measurement needs a loop.
commands=$(stompline --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z]\{1,\}\) .*/\1/p')
[ -n "$commands" ] || fail "'stompline --help' lists no commands"
for command in $commands; do
    case $command in
    run | measure) ;;
    *) grep -q "stompline $command\( \|\$\)" "$0" || fail "'stompline $command' is not tried; add it here" ;;
    esac
done
