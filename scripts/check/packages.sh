#!/bin/sh
# Checks the built packages and the files for distributions with their own tools, and tries the Debian packages in
# an empty system. Packages that are not made from the present commit and the built program are refused.
#
# usage: packages.sh [FOLDER]     FOLDER: has the packages of `make package` and `make dist` (default: .build/packages)
#                                 PROGRAM: the built program (default: .build/release/stompline)
#                                 NO_SKIPS=yes: fails if this machine does not permit a step
set -eu
cd "$(dirname "$0")/../.."
packages=${1:-.build/packages}
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/stompline/Version.swift)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { echo "packages: $*"; }
fail() {
    echo "packages: FAILED: $*" >&2
    exit 1
}

# as_user COMMAND…: runs a command as a user who is not root.
as_user() {
    if [ "$(id -u)" != 0 ]; then "$@"; else setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
}
isolated=yes
unshare --net true 2>/dev/null || isolated=no
if [ $isolated = no ]; then
    [ "${NO_SKIPS:-}" != yes ] || fail "a release needs namespaces, which this machine does not permit"
    step "SKIPPED: working without a network, because this machine permits no namespaces"
fi
# offline COMMAND…: runs a command without a network, if this machine permits that.
offline() {
    if [ $isolated = yes ]; then unshare --net "$@"; else "$@"; fi
}

step "the packages are made from this commit"
again="run 'make package dist' first"
program=${PROGRAM:-.build/release/stompline}
archive=$packages/stompline-$version.tar.gz
commit=$(git rev-parse HEAD)
[ -f "$program" ] || fail "$program is missing; run 'make build' first"
for name in stompline stompline-lv2; do
    deb=$packages/${name}_${version}_$(dpkg --print-architecture).deb
    [ -f "$deb" ] || fail "$deb is missing; $again"
    made_from=$program
    [ $name = stompline ] || made_from=plugins/stompline.lv2/stompline.so
    [ ! "$deb" -ot "$made_from" ] || fail "$deb is older than $made_from; $again"
    dpkg-deb --fsys-tarfile "$deb" | tar -x -O "./usr/share/doc/$name/changelog.gz" >"$work/changes.gz"
    found=$(zcat "$work/changes.gz" | sed -n 's/^  \* Built from commit \(.*\)\.$/\1/p')
    [ "$found" = "$commit" ] || fail "$deb is made from commit ${found:-(unknown)}, not from $commit; $again"
done
[ -f "$archive" ] || fail "$archive is missing; $again"
tar -xf "$archive" -C "$work"
mkdir "$work/commit"
git archive HEAD | tar -x -C "$work/commit"
diff -r -q --no-dereference --exclude=.packages "$work/commit" "$work/stompline-$version" >"$work/log" ||
    { head -n 5 "$work/log" >&2; fail "$archive has other files than commit $commit; $again"; }
rm -r "$work/commit"

step "lintian"
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs \
    "$packages/stompline_${version}"_*.deb "$packages/stompline-lv2_${version}"_*.deb 2>"$work/log" ||
    { cat "$work/log" >&2; fail "lintian has complaints"; }

step "files for the desktop and systemd"
dpkg-deb -x "$packages/stompline_${version}"_*.deb "$work/root"
share=$work/root/usr/share
appstreamcli validate --no-net "$share/metainfo/org.stompline.Stompline.metainfo.xml" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "the metainfo is not valid"; }
desktop-file-validate "$share/applications/stompline.desktop"
cp -r "$share/mime" "$work/mime"
update-mime-database -V "$work/mime" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the MIME type is not valid"; }
grep -q stompline "$work/mime/globs2" || fail "the MIME type has no pattern"

step "rules for PipeWire"
spa-json-dump "$share/doc/stompline/examples/jack.rules.conf" >"$work/rules"
# PipeWire ignores everything that it does not know, so its own configuration must name each key.
/usr/bin/python3 - "$work/rules" <<'PYTHON' || fail "the rules for PipeWire are not valid"
import json, sys
[rule] = json.load(open(sys.argv[1]))["jack.rules"]
assert rule["matches"] == [{"application.process.binary": "stompline"}], rule["matches"]
properties, known = rule["actions"]["update-props"], open("/usr/share/pipewire/jack.conf").read()
assert properties and all(key in known for key in properties), properties
PYTHON

step "the unit for users, with systemd"
# The command of the unit is looked for in the package, not on this machine. No systemd runs in a container, so the
# folders that it provides are missing.
mkdir -p "$work/units" "$work/runtime" "$work/home"
sed "s|^ExecStart=/|ExecStart=$work/root/|" "$work/root/usr/lib/systemd/user/stompline@.service" \
    >"$work/units/stompline@.service"
# systemd only warns of an unknown key or a wrong value; with --recursive-errors, this is an error.
(cd "$work/units" && HOME="$work/home" XDG_RUNTIME_DIR="$work/runtime" \
    systemd-analyze --user --man=no --recursive-errors=no verify ./stompline@night.service) >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "the unit is not valid"; }

step "make uninstall removes what make install installs"
make --no-print-directory install-built DESTDIR="$work/installed" PREFIX=/opt/stompline >/dev/null
(cd "$work/installed/opt/stompline" && find . -type f | sort) >"$work/files"
make --no-print-directory uninstall DESTDIR="$work/installed" PREFIX=/opt/stompline >/dev/null
[ -z "$(find "$work/installed" ! -type d)" ] || fail "files remain: $(find "$work/installed" ! -type d)"

step "PKGBUILD and RPM spec"
bash -n scripts/package/PKGBUILD
mkdir "$work/arch"
cp scripts/package/PKGBUILD "$work/arch/"
# makepkg does not run as root, and asks for pacman, which it does not use here.
chmod -R a+rwX "$work"
(cd "$work/arch" && as_user env PACMAN=true HOME="$work" makepkg --printsrcinfo) >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "PKGBUILD is not valid"; }
grep -q "^	pkgver = $version\$" "$work/log" || fail "PKGBUILD has another version"
rpmspec --parse scripts/package/stompline.spec >/dev/null
rpmlint scripts/package/stompline.spec >"$work/log" || { cat "$work/log" >&2; fail "the spec is not valid"; }

step "PKGBUILD and RPM spec package what make install installs"
ln -s "$PWD" "$work/arch/stompline-$version"
for name in stompline stompline-lv2; do
    # makepkg calls the functions in the same way, with a folder for each package.
    (cd "$work/arch" && bash -euc '. ./PKGBUILD; pkgname=$1 pkgdir=$2; "package_$1"' bash "$name" "$work/arch/root") \
        >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "PKGBUILD does not make the package $name"; }
done
(cd "$work/arch/root/usr" && find . -type f ! -path "./share/licenses/*" | sort) | diff "$work/files" - ||
    fail "PKGBUILD packages other files"
# The entries of %files, which are files, patterns and folders.
rpmspec --define "_libdir %{_prefix}/lib" --define "_userunitdir %{_prefix}/lib/systemd/user" --parse \
    scripts/package/stompline.spec | sed -n '/^%files/,/^%changelog/s|^/usr/|./|p' >"$work/entries"
set -f
used=
while read -r file; do
    found=
    for entry in $(cat "$work/entries"); do
        # shellcheck disable=SC2254 # an entry can be a pattern
        case $file in $entry | $entry/*) found=$entry ;; esac
    done
    [ -n "$found" ] || fail "stompline.spec does not package $file"
    used="$used $found "
done <"$work/files"
for entry in $(cat "$work/entries"); do
    case $used in *" $entry "*) ;; *) fail "make install installs nothing for $entry of stompline.spec" ;; esac
done
set +f

step "the source archive finds all Swift packages inside of it"
(cd "$work/stompline-$version" && STOMPLINE_PACKAGES=$PWD/.packages offline swift package show-dependencies) \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the archive is not complete"; }
! grep https: "$work/log" || fail "the archive needs a network"
# It takes as long as a build from a fresh clone, so only a real release has the time.
if [ -z "${STOMPLINE_BUILT:-}" ]; then
    step "the source archive builds without a network"
    (cd "$work/stompline-$version" && offline make --no-print-directory program) >"$work/log" 2>&1 ||
        { tail -n 50 "$work/log" >&2; fail "the archive does not build"; }
    "$work/stompline-$version/.build/release/stompline" --version
fi

scripts/package/try-deb.sh "$packages"
