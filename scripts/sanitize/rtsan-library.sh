#!/bin/sh
# Prints the path of RealtimeSanitizer as a shared object, and builds it first if necessary, because
# the toolchain contains only an archive. Preloaded, it checks Swift, C and plugins alike.
set -eu
cd "$(dirname "$0")/../.."
toolchain=$(dirname "$(readlink -f "$(command -v swift)")")/..
archive=$(find "$toolchain/lib/clang" -name "libclang_rt.rtsan-$(uname -m).a" | head -n 1)
[ -n "$archive" ] || { echo "sanitize: this toolchain has no RealtimeSanitizer" >&2; exit 1; }
library=$PWD/.build/rtsan.so
[ "$library" -nt "$archive" ] || "$toolchain/bin/clang++" -shared -fPIC -o "$library" \
    -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -lpthread -ldl -lm -lrt
echo "$library"
