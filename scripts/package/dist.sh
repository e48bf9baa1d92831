#!/bin/sh
# Makes the source archive: all files of the commit, and the Swift packages at their pinned revisions in
# `.packages`, so that a build needs no network: the Makefile passes them on as STOMPLINE_PACKAGES.
#
# usage: dist.sh [FOLDER]     FOLDER: for the archive (default: .build/packages)
set -eu
umask 022
cd "$(dirname "$0")/../.."
folder=${1:-.build/packages}
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/stompline/Version.swift)
name=stompline-$version
time=$(git log -1 --format=%ct)
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git archive --prefix="$name/" HEAD | tar -x -C "$work"
mkdir "$work/$name/.packages"
# One line per package: identity and revision.
/usr/bin/python3 -c 'import json
for each in json.load(open("Package.resolved"))["pins"]: print(each["identity"], each["state"]["revision"])' |
    while read -r identity revision; do
        checkout=.build/checkouts/$identity
        [ -d "$checkout" ] || {
            echo "dist: $checkout is missing; run 'swift package resolve'" >&2
            exit 1
        }
        mkdir "$work/$name/.packages/$identity"
        git -C "$checkout" archive "$revision" | tar -x -C "$work/$name/.packages/$identity"
    done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$time" -C "$work" -c "$name" |
    gzip -9n >"$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
