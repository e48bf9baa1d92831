#!/bin/sh
# Tries the Debian packages in an empty Debian 12: install, use by an ordinary user, upgrade, remove, purge.
#
# usage: try-deb.sh [FOLDER]     FOLDER: has the packages (default: .build/packages)
#                                BASE: keeps the empty system for the next time (default: .build/bookworm)
#                                DEBIAN_MIRROR: Debian's archive (default: http://deb.debian.org/debian)
#
#                                NO_SKIPS=yes: fails if this machine does not permit a step
#
# Needs root and debootstrap; skips with status 0 and a message if this machine does not permit them. In a container
# that permits no mounts, the system has no /proc, and without it a program in Swift gets no arguments: there, the
# program is not used.
set -eu
cd "$(dirname "$0")/../.."
packages=${1:-.build/packages}
base=${BASE:-.build/bookworm}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/stompline/Version.swift)
architecture=$(dpkg --print-architecture)

step() { echo "try-deb: $*"; }
fail() {
    echo "try-deb: FAILED: $*" >&2
    exit 1
}
# skipped REASON: says that a step is left out, which fails if no step may be.
skipped() {
    [ "${NO_SKIPS:-}" != yes ] || fail "a release needs every step: $*"
    step "SKIPPED: $*"
}
skip() {
    skipped "$*"
    exit 0
}

[ "$(id -u)" = 0 ] || skip "it needs root"
command -v debootstrap >/dev/null || fail "debootstrap is not installed; run 'scripts/setup.sh release' first"
mounts=no
! unshare --mount --pid --fork true 2>/dev/null || mounts=yes
for name in stompline stompline-lv2; do
    [ -f "$packages/${name}_${version}_$architecture.deb" ] ||
        fail "$packages has no $name $version; run 'make package' first"
done
# The system uses the same proxy as this one.
proxy=
eval "$(apt-config shell proxy Acquire::http::Proxy)"
export http_proxy="${http_proxy:-$proxy}"

if [ ! -e "$base/complete" ]; then
    step "an empty Debian 12"
    rm -rf "$base"
    mkdir -p "$base"
    debootstrap --variant=minbase bookworm "$base/root" "$mirror" >"$base/log" 2>&1 || {
        tail -n 3 "$base/log"
        ! grep -q -i -E "cannot mknod|not permitted|permission denied" "$base/log" ||
            skip "this machine does not permit debootstrap"
        fail "debootstrap failed: $base/log"
    }
    touch "$base/complete"
fi

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp -a "$base/root/." "$root"
mkdir "$root/packages"
cp "$packages/stompline_${version}_$architecture.deb" "$packages/stompline-lv2_${version}_$architecture.deb" \
    scripts/package/try-commands.sh scripts/package/try-completion.zsh scripts/package/try-service.sh "$root/packages/"

# A later version with the same content, for the upgrade.
dpkg-deb -R "$root/packages/stompline_${version}_$architecture.deb" "$root/later"
sed -i 's/^Version: .*/&+later/' "$root/later/DEBIAN/control"
dpkg-deb --root-owner-group -b "$root/later" "$root/packages/later.deb" >/dev/null
rm -r "$root/later"

# inside COMMAND: runs a shell command in the system. Mounts are in namespaces that end with the command, because the
# folder is removed.
inside() {
    separate=
    [ $mounts = no ] || separate="unshare --mount --pid --fork --kill-child"
    # shellcheck disable=SC2086 # each word is an argument
    $separate sh -euc '
        if [ "$3" = yes ]; then
            mount --rbind /dev "$1/dev"
            mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
            mount -t proc proc "$1/proc"
        fi
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} sh -euc "$2"' sh "$root" "$1" $mounts \
        >"$root.log" 2>&1 </dev/null || {
        tail -n 20 "$root.log" >&2
        rm -f "$root.log"
        return 1
    }
    rm -f "$root.log"
}

step "install"
inside "apt-get update -q
    apt-get install -q -y --no-install-recommends /packages/stompline_*.deb /packages/stompline-lv2_*.deb
    useradd --create-home --shell /bin/sh player" || fail "the packages cannot be installed"
inside '! ldd /usr/bin/stompline /usr/lib/lv2/stompline.lv2/stompline.so | grep "not found"' ||
    fail "a library is missing"

# Uses the program as an ordinary user.
use() {
    step "commands of an ordinary user"
    inside 'su player -c "
        set -eu
        test \"$(stompline --version)\" = '"$version"'
        stompline check /usr/share/stompline/pipelines/robot-voice.json
        stompline plugins stompline | grep Stompline
        cd && stompline render /usr/share/stompline/pipelines/robot-voice.json --length 1 --output robot.wav
        test -s robot.wav"' || fail "a command failed"

    step "play with the dummy driver"
    inside 'apt-get install -q -y --no-install-recommends jackd2 systemd man-db zsh fish bash-completion
        su player -c "
            set -eu
            jackd --no-realtime --name try -d dummy --rate 48000 --period 256 >/tmp/jackd.log 2>&1 &
            jack_wait --server try --wait --timeout 20
            stompline run /usr/share/stompline/pipelines/robot-voice.json --server try --no-start-server --duration 2 --json >/tmp/events"
        cat /tmp/events
        grep -q "\"event\": \"started\"" /tmp/events
        grep -q "\"event\": \"ended\", \"reason\": \"duration\"" /tmp/events' || fail "the pipeline did not play"

    step "all other commands, and the script of the service"
    inside 'su player -c "sh /packages/try-commands.sh"' || fail "a command failed"

    step "the service under systemd"
    inside 'sh /packages/try-service.sh player /packages/reason' || fail "the service does not work under systemd"
    [ ! -s "$root/packages/reason" ] ||
        skipped "the service under systemd, because $(cat "$root/packages/reason")"

    step "manual pages"
    inside 'su player -c "
        for page in /usr/share/man/man1/stompline*.1.gz; do
            MANWIDTH=80 man --warnings -l \$page >/tmp/page 2>/tmp/warnings
            test ! -s /tmp/warnings || { echo \$page; cat /tmp/warnings; exit 1; }
            test \$(wc -l </tmp/page) -gt 10 || exit 1
            zcat \$page | grep -q \"^.SH EXAMPLES\" || { echo \$page has no examples; exit 1; }
        done
        man stompline-run | grep -e --resume"' || fail "a manual page has an error"

    step "completions in bash, zsh and fish"
    inside 'su player -c "bash -euc '\''
        set +u
        source /usr/share/bash-completion/bash_completion
        _completion_loader stompline || test \$? = 124
        complete -p stompline
        COMP_WORDS=(stompline che) COMP_CWORD=1
        \$(complete -p stompline | sed -n \"s/.*-F \\([^ ]*\\).*/\\1/p\") stompline che stompline || true
        test \"\${COMPREPLY[*]}\" = check'\''"' || fail "bash completes nothing"
    inside 'su player -c "zsh -f /packages/try-completion.zsh"' || fail "zsh completes nothing"
    inside 'su player -c "fish -c \"complete -C '\''stompline che'\''\"" | grep "^check"
        su player -c "fish -c \"complete -C '\''stompline run --res'\''\"" | grep "^--resume"' ||
        fail "fish completes nothing"
}
if [ $mounts = yes ]; then use; else skipped "using the program, because this machine permits no mounts"; fi

step "upgrade keeps the files of the user"
inside 'su player -c "mkdir -p ~/.config/stompline && echo mine >~/.config/stompline/rig.json"
    dpkg -i /packages/later.deb
    dpkg-query -W -f "\${Version}\n" stompline | grep later
    grep mine /home/player/.config/stompline/rig.json' || fail "the upgrade failed"

step "remove and purge"
inside 'dpkg -r stompline
    if command -v stompline; then exit 1; fi
    dpkg -r stompline-lv2
    dpkg -P stompline stompline-lv2
    grep mine /home/player/.config/stompline/rig.json
    rest=$(find / -xdev \( -path /packages -o -path /home -o -path /proc \) -prune -o -name "*stompline*" -print)
    test -z "$rest" || { echo "remain: $rest"; exit 1; }' || fail "files remain"
echo "try-deb: all steps passed"
