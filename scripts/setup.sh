#!/bin/sh
# Installs missing Debian packages, and fetches the Swift packages. Does nothing if everything is
# installed.
#
# usage: setup.sh [build|install|package|release|test|quality]
#     build: for a build and the demo; install: also for `make install`; package: also for `make package`;
#     release: also for checks of packages; test (default): for a build and the tests; quality: also the sounds for
#     `make quality`
set -eu

build="gcc libc6-dev libstdc++-12-dev binutils pkg-config liblilv-dev libjack-jackd2-dev libsndfile1-dev libebur128-dev
    libflac-dev libvorbis-dev liblo-dev libgnutls28-dev zlib1g-dev lv2-dev jackd2 ffmpeg sndfile-tools espeak-ng python3
    calf-plugins lsp-plugins-lv2 mda-lv2 swh-lv2 x42-plugins zam-plugins dragonfly-reverb-lv2"
test="liblo-tools lilv-utils sordi lv2-examples invada-studio-plugins-lv2 graphviz iproute2 zita-njbridge tmux openssl
    dbus-daemon pipewire pipewire-jack libspa-0.2-dev wireplumber python3-jsonschema python3-numpy python3-scipy
    python3-venv chromium jq curl adduser"
quality="sox sonic-pi-samples"
install="python3-markdown"
package="$install dpkg-dev"
release="$package lintian debootstrap appstream desktop-file-utils shared-mime-info makepkg rpm rpmlint gnupg systemd
    pipewire-bin python3-jsonschema"

wanted=$build
case ${1:-test} in
build) ;;
install) wanted="$wanted $install" ;;
package) wanted="$wanted $package" ;;
release) wanted="$wanted $release" ;;
*) wanted="$wanted $test" ;;
esac
[ "${1:-test}" != quality ] || wanted="$wanted $quality"

missing=
for package in $wanted; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
        missing="$missing $package"
done

if [ -n "$missing" ]; then
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            echo "setup: as root, install:$missing" >&2
            exit 1
        }
        as_root=sudo
    fi
    echo "setup: installing$missing" >&2
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -q >&2
    # shellcheck disable=SC2086 # one word a package
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
fi

# An installed toolchain may still lack some of its libraries.
swift --version >/dev/null || {
    echo "setup: Swift 6.3 and its dependencies must be installed, with its bin folder in PATH:" >&2
    echo "    https://www.swift.org/install/linux/" >&2
    exit 1
}
cd "$(dirname "$0")/.."
# In .ci/run, everything has been built.
[ -z "${STOMPLINE_BUILT:-}" ] || exit 0
# If the pinned revisions are not available, for example from a mirror of the packages, the versions
# in Package.swift apply.
swift package resolve >/dev/null 2>&1 || swift package update >&2
