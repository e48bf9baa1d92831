#!/bin/sh
# Makes a whole release of the present commit in a clone, with a key that exists only for this check: all packages are
# built and tried, the checksums and a tag are signed. Before that, wrong releases must be refused. Nothing of it
# remains. The program must be built.
#
# usage: release.sh
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
version=$(sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/stompline/Version.swift)
work=$(mktemp -d)
export GNUPGHOME="$work/keys"
trap 'gpgconf --kill all; rm -rf "$work"' EXIT

if ! { [ "$(id -u)" = 0 ] && unshare --net true && unshare --mount --pid --fork true; } 2>/dev/null; then
    echo "release: SKIPPED: it needs root and namespaces; only the packages are checked"
    scripts/package/deb.sh
    scripts/package/dist.sh
    scripts/check/packages.sh
    exit
fi

git clone --quiet "$root" "$work/clone"
cd "$work/clone"
# Everything is built already.
mkdir -p .build/plugins
ln -s "$root/.build/release" "$root/.build/checkouts" .build/
cp "$root/.build/plugins/inputs" .build/plugins/
cp "$root/plugins/stompline.lv2/stompline.so" plugins/stompline.lv2/
export STOMPLINE_BUILT=yes

# The change log has the name of the version only when it is released.
sed -i "s/^## Unreleased\$/## $version/" CHANGELOG.md
name=$(git log -1 --format=%an)
mail=$(git log -1 --format=%ae)
git config user.name "$name"
git config user.email "$mail"
git diff --quiet || git commit --quiet --all --message "Release $version"
git tag --delete "v$version" >/dev/null 2>&1 || true

# refuses VERSION MESSAGE: fails unless the release of a version is refused with a message.
refuses() {
    ! scripts/package/release.sh "$1" --check >"$work/log" 2>&1 && grep -q -F -e "$2" "$work/log" || {
        cat "$work/log" >&2
        echo "release: FAILED: $1 is not refused with '$2'" >&2
        exit 1
    }
}
echo >>README.md
refuses "$version" "there are changes that are not committed"
git checkout --quiet README.md
refuses 999.0.0 "Version.swift says '$version', not 999.0.0"
git tag --no-sign "v$version"
refuses "$version" "the tag v$version exists"
git tag --delete "v$version" >/dev/null

mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key "$name <$mail>" ed25519 sign never
make --no-print-directory release VERSION="$version" KEY="$mail"

cd ".build/releases/$version"
gpg --batch --quiet --verify SHA256SUMS.asc SHA256SUMS
sha256sum --quiet --check SHA256SUMS
# A change after the signature must be noticed.
echo >>PKGBUILD
! sha256sum --quiet --check SHA256SUMS >/dev/null 2>&1 || {
    echo "release: FAILED: the checksums do not notice a change" >&2
    exit 1
}
git -C "$work/clone" tag --verify "v$version" >/dev/null 2>&1
echo "release: $version was made, signed and verified"
