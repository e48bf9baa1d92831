#!/bin/sh
# Makes a release of the present commit: checks it, builds all packages, signs the list of their checksums, and
# tags the commit. Nothing leaves the machine.
#
# usage: release.sh VERSION [--check]     --check: checks only
#                                         KEY: the OpenPGP key (default: user.signingkey of git)
set -eu
umask 022
cd "$(dirname "$0")/../.."
version=${1:-}
tag=v$version
folder=.build/releases/$version

fail() {
    echo "release: $*" >&2
    exit 1
}
step() { echo "release: $*"; }
# said FILE PATTERN: prints what a file says between \( and \).
said() { sed -n "s/$2/\\1/p" "$1" | head -n 1; }

echo "$version" | grep -q -E '^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}$' ||
    fail "VERSION must be three numbers with points between them, such as 1.2.0"

step "tree"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
! git rev-parse -q --verify "refs/tags/$tag" >/dev/null || fail "the tag $tag exists"
last=$(git tag --list 'v*' | sed 's/^v//' | sort -V | tail -n 1)
[ "$(printf '%s\n' "$last" "$version" | sort -V | tail -n 1)" = "$version" ] ||
    fail "version $version is older than $last"

step "versions"
while read -r file pattern; do
    found=$(said "$file" "$pattern")
    [ "$found" = "$version" ] || fail "$file says '$found', not $version"
done <<'FILES'
Sources/stompline/Version.swift .*static let text = "\(.*\)"
scripts/package/PKGBUILD ^pkgver=\(.*\)
scripts/package/stompline.spec ^Version: *\(.*\)
CHANGELOG.md ^## \(.*\)
FILES
grep -q "^\* .* - $version-1\$" scripts/package/stompline.spec || fail "the change log of stompline.spec has no $version"
[ -n "$(sed -n "/^## $version\$/,/^## /{/^- /p}" CHANGELOG.md)" ] || fail "CHANGELOG.md lists no changes of $version"
for folders in "pipelines pipelines" "Tests/PipelinesTests/Valid format"; do
    for file in "${folders% *}"/*.json; do
        cmp -s "$file" "Tests/Releases/$version/${folders#* }/$(basename "$file")" ||
            fail "Tests/Releases/$version has not $file; run 'scripts/check/releases.py --record $version'"
    done
done
cmp -s docs/http.schema.json "Tests/Releases/$version/http.schema.json" ||
    fail "Tests/Releases/$version has another http.schema.json"

step "machine"
# The check of the packages leaves no step out for a release.
[ "$(id -u)" = 0 ] || fail "the check of the packages needs root"
unshare --net true && unshare --mount --pid --fork true ||
    fail "the check of the packages needs namespaces, which this machine does not permit"

step "key"
key=${KEY:-$(git config user.signingkey || true)}
[ -n "$key" ] || fail "there is no key; set KEY, or user.signingkey of git"
echo test | gpg --batch --local-user "$key" --detach-sign >/dev/null || fail "the key $key cannot sign"
[ "${2:-}" != --check ] || exit 0

step "build"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
make --no-print-directory build plugins
scripts/setup.sh release
export PROGRAM=$PWD/.build/release/stompline
scripts/check/releases.py
scripts/check/releases.py --compare "$version"
rm -rf "$folder"
scripts/package/deb.sh "$folder"
scripts/package/dist.sh "$folder"
NO_SKIPS=yes scripts/check/packages.sh "$folder"
archive=stompline-$version.tar.gz
sum=$(sha256sum "$folder/$archive" | cut -d ' ' -f 1)
sed "s/^sha256sums=.*/sha256sums=($sum)/" scripts/package/PKGBUILD >"$folder/PKGBUILD"
cp scripts/package/stompline.spec "$folder/"
# A build that changes files of the commit would not be a build of the commit.
[ -z "$(git status --porcelain)" ] || fail "the build has changed files of the tree"

step "checksums and tag"
(cd "$folder" && LC_ALL=C sha256sum ./*.deb "./$archive" ./PKGBUILD ./stompline.spec | sed 's|\./||' >SHA256SUMS)
gpg --batch --yes --local-user "$key" --armor --detach-sign "$folder/SHA256SUMS"
gpg --batch --verify "$folder/SHA256SUMS.asc" "$folder/SHA256SUMS" 2>/dev/null || fail "the signature is not valid"
git -c gpg.format=openpgp tag --local-user "$key" --message "Stompline $version" "$tag"
git -c gpg.format=openpgp verify-tag "$tag" 2>/dev/null || fail "the signature of the tag is not valid"
step "$folder has the files; 'git push origin $tag' publishes the tag"
