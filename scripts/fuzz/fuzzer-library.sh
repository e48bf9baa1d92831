#!/bin/sh
# Prints the path of libFuzzer without its main function, which is part of the Swift toolchain.
set -eu
swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
for library in "$swift"/../lib/clang/*/lib/linux/libclang_rt.fuzzer_no_main-"$(uname -m)".a \
    "$swift"/../lib/swift/clang/lib/linux/libclang_rt.fuzzer_no_main-"$(uname -m)".a; do
    if [ -f "$library" ]; then
        readlink -f "$library"
        exit
    fi
done
echo "fuzz: this Swift toolchain has no libFuzzer (libclang_rt.fuzzer_no_main)" >&2
exit 1
