#!/bin/sh
# Installs or removes everything that `make install` installs. The program and the plugins must be built.
#
# usage: install.sh install|uninstall     DESTDIR, PREFIX (default /usr/local),
#                                         LIBDIR (for plugins below the prefix; default lib)
#
# Units for users are in lib/systemd/user, and for a prefix in the home in share/systemd/user, because
# systemd looks there.
set -eu
umask 022
cd "$(dirname "$0")/../.."
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}$prefix
libraries=${LIBDIR:-lib}
files=scripts/package/files
program=${PROGRAM:-.build/release/stompline}
# Debian's Python has the converter of the guides; another one in PATH may lack it.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

case $prefix in
"${HOME:-/nowhere}"/*) units=share/systemd/user ;;
*) units=lib/systemd/user ;;
esac

# put MODE FILE TARGET: installs a file, with the prefix, the version and the date in it.
put() {
    mkdir -p "$(dirname "$root/$3")"
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@VERSION@|$version|g" -e "s|@DATE@|$date|g" "$2" >"$root/$3"
    chmod "$1" "$root/$3"
}

install_all() {
    version=$("$program" --version)
    date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)}" +%F)
    install -D -s -m 755 "$program" "$root/bin/stompline"
    put 755 $files/stompline-service libexec/stompline/stompline-service

    install -d "$root/$libraries/lv2/stompline.lv2" "$root/share/stompline/pipelines/sounds"
    install -m 644 plugins/stompline.lv2/*.ttl plugins/stompline.lv2/*.so "$root/$libraries/lv2/stompline.lv2/"
    install -m 644 pipelines/*.json "$root/share/stompline/pipelines/"
    install -m 644 pipelines/sounds/* "$root/share/stompline/pipelines/sounds/"

    manuals=$(mktemp -d)
    scripts/package/manuals.py "$program" "$manuals"
    install -d "$root/share/man/man1"
    install -m 644 "$manuals"/*.1 "$root/share/man/man1/"
    rm -r "$manuals"

    completion bash share/bash-completion/completions/stompline
    completion zsh share/zsh/site-functions/_stompline
    completion fish share/fish/vendor_completions.d/stompline.fish

    "$python" scripts/package/guides.py "$root/share/doc/stompline/html"
    put 644 $files/jack.rules.conf share/doc/stompline/examples/jack.rules.conf
    put 644 $files/stompline@.service $units/stompline@.service
    put 644 $files/stompline.xml share/mime/packages/stompline.xml
    put 644 $files/stompline.desktop share/applications/stompline.desktop
    put 644 $files/org.stompline.Stompline.metainfo.xml share/metainfo/org.stompline.Stompline.metainfo.xml
    put 644 Sources/CPage/Assets/icon.svg share/icons/hicolor/scalable/apps/stompline.svg
}

# completion SHELL TARGET
completion() {
    mkdir -p "$(dirname "$root/$2")"
    # A completion is read by the shell, not run: it needs no first line with an interpreter.
    "$program" --generate-completion-script "$1" | sed '1{/^#!/d}' >"$root/$2"
    chmod 644 "$root/$2"
}

uninstall_all() {
    rm -f "$root/bin/stompline" "$root/$units/stompline@.service" \
        "$root/share/man/man1/stompline.1" "$root"/share/man/man1/stompline-*.1 \
        "$root/share/bash-completion/completions/stompline" "$root/share/zsh/site-functions/_stompline" \
        "$root/share/fish/vendor_completions.d/stompline.fish" \
        "$root/share/mime/packages/stompline.xml" "$root/share/applications/stompline.desktop" \
        "$root/share/metainfo/org.stompline.Stompline.metainfo.xml" \
        "$root/share/icons/hicolor/scalable/apps/stompline.svg"
    rm -rf "$root/libexec/stompline" "$root/$libraries/lv2/stompline.lv2" "$root/share/stompline" "$root/share/doc/stompline"
}

# Without a package manager, the desktop learns of new files only by these commands.
update_caches() {
    [ -z "${DESTDIR:-}" ] || return 0
    if command -v update-mime-database >/dev/null && [ -d "$root/share/mime/packages" ]; then
        update-mime-database "$root/share/mime" || true
    fi
    if command -v update-desktop-database >/dev/null && [ -d "$root/share/applications" ]; then
        update-desktop-database "$root/share/applications" || true
    fi
}

case ${1:-} in
install) install_all ;;
uninstall) uninstall_all ;;
*)
    echo "usage: install.sh install|uninstall" >&2
    exit 64
    ;;
esac
update_caches
