#!/bin/sh
# Tries the installed unit under `systemd --user`, as an ordinary user, on a JACK server with the dummy driver. systemd
# need not be the first process of the machine.
#
# usage: try-service.sh USER REASON     as root, in namespaces for mounts and processes; if the machine does not permit
#                                       it, the script writes why to the file REASON, and ends with status 0
#        try-service.sh                 as the user, when the first form has prepared the system
#
# try-deb.sh runs it in an empty Debian.
#
# shellcheck disable=SC2016 # other programs replace the variables in single quotes
set -eu

fail() {
    echo "try-service: FAILED: $*" >&2
    exit 1
}

# An ordinary user cannot prepare a system in which the manager works.
if [ $# = 2 ]; then
    user=$1 reason=$2
    skip() {
        echo "$*" >"$reason"
        exit 0
    }
    { mount -t tmpfs tmpfs /run && mount -t sysfs sysfs /sys && mount -t cgroup2 cgroup2 /sys/fs/cgroup; } ||
        skip "this machine permits no mount of control groups"
    # systemd asks for this folder to find out whether it runs the machine.
    mkdir -p /run/systemd/system "/run/user/$(id -u "$user")"
    chown "$user" "/run/user/$(id -u "$user")"

    # A control group that belongs to the user; in a namespace, it is the root of all groups.
    parent=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
    group=${parent%/}/stompline-$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')
    mkdir "$group" || skip "this machine permits no control group"
    # shellcheck disable=SC2317 # the trap calls it
    remove() {
        echo 0 >"$parent/cgroup.procs" || true
        # Kills what a failed check has left; Linux 5.14 and later.
        echo 1 >"$group/cgroup.kill" || true
        for _ in $(seq 50); do
            find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
            [ -e "$group" ] || break
            sleep 0.1
        done
    }
    trap remove EXIT
    trap 'exit 1' HUP INT TERM
    chown "$user" "$group" "$group/cgroup.procs" "$group/cgroup.subtree_control"
    echo 0 >"$group/cgroup.procs" || skip "this machine permits no process in a control group of its own"
    unshare --cgroup --mount --propagation unchanged true || skip "this machine permits no namespace for control groups"
    status=0
    unshare --cgroup --mount --propagation unchanged sh -euc '
        umount /sys/fs/cgroup
        mount -t cgroup2 cgroup2 /sys/fs/cgroup
        exec su "$1" -c "sh \"$2\""' sh "$user" "$0" || status=$?
    exit $status
fi

cd "$HOME"
XDG_RUNTIME_DIR=/run/user/$(id -u)
export XDG_RUNTIME_DIR
folder=$HOME/.config/stompline
# Other servers of this user, also in other file systems, have other names.
server=try-service-$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')
manager='' jack='' recorder=''

finish() {
    status=$?
    [ $status = 0 ] || for file in jackd.log manager.log messages; do
        [ ! -s $file ] || { echo "--- the end of $file" && tail -n 5 $file; } >&2
    done
    for process in $recorder $jack $manager; do kill -TERM "$process" 2>/dev/null || true; done
    exit $status
}
trap finish EXIT

step() { echo "try-service: $*"; }
# until_true COMMAND…: waits until a command succeeds, for at most a minute.
until_true() {
    for _ in $(seq 300); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.2
    done
    return 1
}
# property NAME PROPERTY: a property of the service NAME.
property() { systemctl --user show --value --property "$2" "stompline@$1"; }
# is NAME PROPERTY VALUE: whether a property has a value.
is() { [ "$(property "$1" "$2")" = "$3" ]; }
# awaits NAME PROPERTY VALUE: waits until a property has a value.
awaits() {
    until_true is "$@" || fail "$2 of $1 is '$(property "$1" "$2")', not '$3'"
}
# must_be NAME PROPERTY VALUE: fails unless a property has a value.
must_be() {
    is "$@" || fail "$2 of $1 is '$(property "$1" "$2")', not '$3'"
}
# displays TEXT: fails unless `systemctl status` displays a text.
displays() {
    systemctl --user --no-pager status stompline@night >shown 2>&1 || true
    grep -F -e "$1" shown || { tail -n 15 shown >&2 && fail "'systemctl status' has no '$1'"; }
}
start_manager() {
    /lib/systemd/systemd --user >>manager.log 2>&1 &
    manager=$!
    until_true systemctl --user is-active basic.target || fail "systemd did not start"
}
start_jack() {
    jackd --no-realtime --name "$server" -d dummy --rate 48000 --period 1024 >>jackd.log 2>&1 &
    jack=$!
    jack_wait --server "$server" --wait --timeout 60 >/dev/null 2>&1 || fail "jackd did not start"
}
stop_jack() {
    kill -TERM "$jack"
    wait "$jack" || true
    jack=
}
# control ARGUMENT…: `stompline ctl` with the port of the latest run.
control() {
    stompline ctl --port "$(sed -n 's/.*OSC at UDP .*:\([0-9]*\)$/\1/p' messages | tail -n 1)" "$@"
}
# Waits until the program has fed the watchdog for longer than WatchdogSec, without a restart.
feeds_watchdog() {
    main=$(property night MainPID)
    first=$(property night WatchdogTimestampMonotonic)
    until_true is_fed_since $((first + 11000000)) || fail "the program does not feed the watchdog"
    must_be night MainPID "$main"
}
is_fed_since() { [ "$(property night WatchdogTimestampMonotonic)" -gt "$1" ]; }
# recording PROGRAM: runs a Perl program with the recorded samples, -1 to 1, in @samples.
recording() {
    [ -s end.wav ] &&
        perl -0777 -ne '/data....(.*)/s && (@samples = unpack("f<*", $1)) && do { '"$1"' }; exit 1' end.wav
}
# ended PATTERN: waits for the end of a service for a reason: the result, the kind of end, and the status or signal.
ended() {
    until_true is_last_end "$1" || fail "the end is not '$1' but '$(last_end)'"
    last_end
}
last_end() { grep '^ended: ' messages | tail -n 1; }
is_last_end() {
    # shellcheck disable=SC2254 # a pattern
    case $(last_end) in "ended: "$1) ;; *) return 1 ;; esac
}
# plays_again COUNT: waits until the service plays after a number of restarts, with the state of the former run.
plays_again() {
    awaits night NRestarts "$1"
    awaits night ActiveState active
    awaits night StatusText 'playing as Night'
    displays 'Status: "playing as Night"'
    control gain | grep -x -e -6 || fail "the gain is '$(control gain)' after the restart, not -6"
}

mkdir -p "$folder" .config/systemd/user/stompline@.service.d
printf '%s\n' '[Service]' WatchdogSec=10 TimeoutStartSec=180 \
    StandardOutput=append:%h/messages StandardError=append:%h/messages \
    'ExecStopPost=/bin/echo ended: $SERVICE_RESULT $EXIT_CODE $EXIT_STATUS' \
    >.config/systemd/user/stompline@.service.d/try.conf
# A constant as the sound: each other value belongs to a fade.
perl -e '$data = pack("s<", 16384) x 48000;
    print "RIFF", pack("V", 36 + length $data), "WAVEfmt ", pack("VvvVVvv", 16, 1, 1, 48000, 96000, 2, 16),
        "data", pack("V", length $data), $data' >"$folder/level.wav"
echo '{"version": 1, "name": "Night", "outputs": {"main": {"channels": 1}}, "nodes": [{"id": "tone", "type": "player",
    "settings": {"file": "level.wav"}, "parameters": {"loop": true}}]}' >"$folder/night.json"
printf '%s\n' "JACK_DEFAULT_SERVER=$server" 'STOMPLINE_OPTIONS="--osc 0"' >"$folder/night.env"

step "it waits for a server, and a stop ends the wait"
start_manager
systemctl --user enable stompline@night 2>/dev/null
systemctl --user start --no-block stompline@night
awaits night SubState start
systemctl --user stop stompline@night
must_be night ActiveState inactive
must_be night Result success

step "it is active when it plays"
systemctl --user start stompline@night &
start=$!
awaits night SubState start
sleep 1
displays 'Active: activating (start)'
kill -0 $start || fail "'systemctl start' did not wait"
start_jack
wait $start || fail "status $? of 'systemctl start'"
must_be night ActiveState active
must_be night SubState running
displays 'Active: active (running)'
displays 'Status: "playing as Night"'
jack_lsp -s "$server" 2>/dev/null | grep -x Night:main || fail "JACK has no port of it"

step "it fades out when it is stopped"
echo '{"version": 1, "name": "Ear", "inputs": {"in": {"channels": 1, "connect": ["Night:main"]}}, "nodes": [
    {"id": "take", "type": "recorder", "settings": {"file": "end.wav", "bits": 32},
    "parameters": {"recording": true}}]}' >ear.json
for attempt in 1 2 3; do
    rm -f end.wav
    stompline run ear.json --server "$server" --no-start-server --box 0 >ear.log 2>&1 &
    recorder=$!
    until_true recording 'exit !($samples[-1] > 0.4)' || fail "there is no sound"
    systemctl --user stop stompline@night
    must_be night ActiveState inactive
    must_be night Result success
    must_be night ExecMainStatus 0
    ended 'success exited 0'
    until_true recording 'exit !($samples[-1] == 0)' || fail "the sound does not end"
    kill -TERM $recorder
    wait $recorder || fail "status $? of the recording"
    recorder=
    # A busy machine can lose blocks of the fade, and the program does not wait for it for longer than 0.3 s.
    ! recording 'for (1 .. $#samples) { $step = $samples[$_ - 1] - $samples[$_]; $largest = $step if $step > $largest }
        @samples = sort { $a <=> $b } @samples;
        printf "the peak: %.4f; the largest step down: %.4f\n", $samples[-1], $largest;
        exit !($samples[-1] > 0.4 && $largest < 0.1)' || break
    [ $attempt -lt 3 ] || fail "the sound does not fade out"
    systemctl --user start stompline@night || fail "it does not start again"
done
systemctl --user start stompline@night || fail "it does not start again"

step "it feeds the watchdog"
feeds_watchdog
control gain -6 >/dev/null
until_true grep -r -q -E '"gain": ?-6' .local/state/stompline/resume || fail "the gain is not saved"

step "it waits for a lost server, and feeds the watchdog meanwhile"
main=$(property night MainPID)
stop_jack
awaits night StatusText 'waiting for a JACK server'
displays 'Active: active (running)'
displays 'Status: "waiting for a JACK server"'
feeds_watchdog
start_jack
awaits night StatusText 'playing as Night'
displays 'Status: "playing as Night"'
must_be night MainPID "$main"
must_be night NRestarts 0

step "systemd restarts it when it hangs"
kill -STOP "$main"
plays_again 1
# "dumped" if the machine keeps core dumps.
ended 'watchdog *ed ABRT'

step "systemd restarts it when it is killed"
kill -KILL "$(property night MainPID)"
plays_again 2
ended 'signal killed KILL'

step "wrong files and options end it"
refuses() {
    ! systemctl --user start "stompline@$1" 2>/dev/null || fail "$1 starts"
    must_be "$1" ActiveState failed
    must_be "$1" ExecMainStatus "$2"
    must_be "$1" NRestarts 0
    ended "exit-code exited $2"
}
echo '{"version": 1, "nodes": [' >"$folder/wrong.json"
cp "$folder/night.env" "$folder/wrong.env"
refuses wrong 65
cp "$folder/night.json" "$folder/option.json"
printf '%s\n' "JACK_DEFAULT_SERVER=$server" STOMPLINE_OPTIONS=--unknown >"$folder/option.env"
refuses option 64
refuses missing 66

step "it starts with the login of the user, which does not wait for it"
systemctl --user exit
wait "$manager" || true
stop_jack
start_manager
awaits night SubState start
start_jack
awaits night StatusText 'playing as Night'
displays 'Active: active (running)'
main=$(property night MainPID)
systemctl --user exit
wait "$manager" || true
manager=
! kill -0 "$main" 2>/dev/null || fail "it plays after the end of systemd"
ended 'success exited 0'
step "all steps passed"
