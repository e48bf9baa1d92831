#!/bin/sh
# Builds the Debian packages stompline and stompline-lv2 from the built program and plugins.
#
# usage: deb.sh [FOLDER]     FOLDER: for the packages (default: .build/packages)
set -eu
umask 022
cd "$(dirname "$0")/../.."
folder=${1:-.build/packages}
program=${PROGRAM:-.build/release/stompline}
version=$("$program" --version)
architecture=$(dpkg --print-architecture)
maintainer=${MAINTAINER:-$(git log -1 --format='%an <%ae>')}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# An archive without a repository has no commit.
commit=$(git rev-parse -q --verify HEAD 2>/dev/null || true)
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

PREFIX=/usr DESTDIR=$work/stompline PROGRAM=$program scripts/package/install.sh install
install -d "$work/stompline-lv2/usr/lib"
mv "$work/stompline/usr/lib/lv2" "$work/stompline-lv2/usr/lib/"
mkdir -p "$work/stompline/usr/share/zsh/vendor-completions"
mv "$work/stompline/usr/share/zsh/site-functions/_stompline" "$work/stompline/usr/share/zsh/vendor-completions/"
rmdir "$work/stompline/usr/share/zsh/site-functions"
gzip -9n "$work"/stompline/usr/share/man/man1/*.1

# libraries FILE: prints the packages of the libraries that a binary needs; fails if a library is in no package.
libraries() {
    mkdir -p "$work/debian"
    echo "Source: stompline" >"$work/debian/control"
    binary=$(realpath "$1")
    # Only errors are of interest: each run warns that this is not the folder of a source package.
    (cd "$work" && dpkg-shlibdeps -O "$binary" >"$work/needed" 2>"$work/log") || {
        cat "$work/log" >&2
        return 1
    }
    needed=$(sed -n 's/^shlibs:Depends=//p' "$work/needed")
    # Only lilv needs the libraries of Turtle; a link to them would bind the package to their versions, too.
    case $needed in
    "" | *serd* | *sord* | *sratom*)
        echo "deb: the dependencies of $1 are wrong: '$needed'" >&2
        return 1
        ;;
    esac
    echo "$needed"
}

# The menu of documents of the system.
install -d "$work/stompline/usr/share/doc-base"
cat >"$work/stompline/usr/share/doc-base/stompline.stompline" <<'DOCUMENTS'
Document: stompline
Title: Stompline guides
Author: Stompline contributors
Abstract: How to write pipelines, play them, and control a session.
Section: Sound

Format: HTML
Index: /usr/share/doc/stompline/html/index.html
Files: /usr/share/doc/stompline/html/*
DOCUMENTS

# package NAME DEPENDS MORE: builds a package; MORE are other fields and the description.
package() {
    root=$work/$1
    documents=$root/usr/share/doc/$1
    mkdir -p "$root/DEBIAN" "$documents"
    {
        echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
        echo
        echo "Files: *"
        echo "Copyright: $(sed -n 's/^Copyright (c) //p' LICENSE)"
        echo "License: Expat"
        sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
    } >"$documents/copyright"
    {
        echo "$1 ($version) unstable; urgency=medium"
        echo
        echo "  * Release $version. CHANGELOG.md lists the changes."
        [ -z "$commit" ] || echo "  * Built from commit $commit."
        echo
        echo " -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9n >"$documents/changelog.gz"
    (cd "$root" && find usr -type f -exec md5sum {} +) | LC_ALL=C sort -k 2 >"$root/DEBIAN/md5sums"
    {
        echo "Package: $1"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)"
        echo "Depends: $2"
        echo "Section: sound"
        echo "Priority: optional"
        echo "$3"
    } >"$root/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$root" "$folder/$1_${version}_$architecture.deb" >/dev/null
    echo "$folder/$1_${version}_$architecture.deb"
}

# An argument would hide a failure.
program_needs=$(libraries "$work/stompline/usr/bin/stompline")
plugins_need=$(libraries "$work/stompline-lv2/usr/lib/lv2/stompline.lv2/stompline.so")
package stompline "$program_needs" \
    'Recommends: jackd2 | pipewire-jack, ffmpeg, stompline-lv2
Suggests: calf-plugins, lsp-plugins-lv2, x42-plugins, zita-njbridge
Description: live effects host for JACK and PipeWire
 A JSON file is the pedalboard: it joins built-in effects and LV2 plugins in
 any graph. Parallel paths are aligned to the frame, and an edited file
 applies while the sound continues.
 .
 Songs, scenes, footswitches, OSC and a page for phones control the session.'
package stompline-lv2 "$plugins_need" \
    'Enhances: stompline
Description: effects of Stompline as LV2 plugins for other hosts
 Pitch shift, pitch correction, harmonies, time stretch, freeze, filter,
 feedback guard, delay, channel strip and tuner, with the same sound as in
 Stompline.'
