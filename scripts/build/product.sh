#!/bin/sh
# Builds products as release builds, in .build/release. The output goes to standard error.
#
# usage: product.sh PRODUCT…
#
# A build that has nothing to do takes seconds. If STOMPLINE_BUILT is set, everything has been built from the present
# sources, as in .ci/run, and a product that exists is not built again.
set -eu
cd "$(dirname "$0")/../.."
for product; do
    if [ -z "${STOMPLINE_BUILT:-}" ] || [ ! -x ".build/release/$product" ]; then
        swift build -c release --product "$product" >&2
    fi
done
