#!/bin/sh
# Builds plugins/stompline.lv2/stompline.so: the built-in effects as LV2 plugins for other hosts.
# It compiles the program's own Swift sources as Embedded Swift, which needs no Swift library at run
# time.
set -eu
cd "$(dirname "$0")/../.."
build=.build/plugins
bundle=plugins/stompline.lv2

# Several checks need the bundle. It is built again only if its sources, this script or the compilers have changed.
inputs=$({
    swiftc --version 2>&1
    clang --version
    find scripts/build/plugins.sh Sources/CRealtime Sources/DSP Sources/Effects Sources/Processing Sources/Realtime \
        Sources/StomplinePlugin -type f | LC_ALL=C sort | xargs sha256sum
} | sha256sum)
if [ -e "$bundle/stompline.so" ] && [ "$(cat "$build/inputs" 2>/dev/null)" = "$inputs" ]; then exit 0; fi
rm -rf "$build"
mkdir -p "$build"

architecture=
[ "$(uname -m)" = x86_64 ] && architecture=-march=x86-64-v2

cat > "$build/module.modulemap" <<MODULES
module CRealtime { header "$PWD/Sources/CRealtime/include/CRealtime.h" export * }
module CPluginEvents { header "$PWD/Sources/StomplinePlugin/PluginEvents.h" export * }
MODULES

# compile MODULE FILE…: builds an object, and a module that the next ones can import.
compile() {
    name=$1
    shift
    swiftc -c -O -wmo -parse-as-library -module-name "$name" \
        -swift-version 6 -enable-experimental-feature Embedded \
        -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility \
        ${architecture:+-Xcc "$architecture"} -Xcc -fPIC -Xcc "-fmodule-map-file=$build/module.modulemap" \
        -Xfrontend -function-sections -I "$build" \
        -emit-module -emit-module-path "$build/$name.swiftmodule" -o "$build/$name.o" "$@"
}

compile Realtime Sources/Realtime/Buffer.swift Sources/Realtime/Decibels.swift Sources/Realtime/Ramp.swift \
    Sources/Realtime/SmoothRamp.swift Sources/Realtime/SoundPart.swift Sources/Realtime/StateNotes.swift
# Files that only describe an effect, or create its processor for the engine, are left out.
compile Processing Sources/Processing/Kernel.swift Sources/Processing/EffectParameter.swift \
    Sources/Processing/Memory/ClampedArithmetic.swift
compile DSP $(find Sources/DSP -name '*.swift')
compile Effects Sources/Effects/SmoothingTime.swift \
    Sources/Effects/FrequencyShiftKernel.swift Sources/Effects/ShiftChannel.swift \
    $(find Sources/Effects/PitchShift -name '*.swift' ! -name '*Shift.swift') \
    $(find Sources/Effects/Voice -name '*.swift' ! -name 'NoteName.swift') \
    $(find Sources/Effects/Tune -name '*.swift' ! -name 'Tune.swift') \
    $(find Sources/Effects/Harmony -name '*.swift' ! -name 'Harmony.swift' ! -name 'HarmonyParameters.swift') \
    Sources/Effects/DelayKernel.swift Sources/Effects/DelayLines.swift \
    Sources/Effects/MixerKernel.swift Sources/Effects/MixerStrip.swift Sources/Effects/Fader.swift \
    Sources/Effects/FilterKernel.swift Sources/Effects/FilterControls.swift Sources/Effects/TunerKernel.swift \
    $(find Sources/Effects/TimeStretch -name '*.swift' ! -name 'TimeStretch.swift') \
    $(find Sources/Effects/Freeze -name '*.swift' ! -name 'Freeze.swift') \
    $(find Sources/Effects/FeedbackGuard -name '*.swift' ! -name 'FeedbackGuard.swift') \
    Sources/StomplinePlugin/*.swift

echo '{ global: lv2_descriptor; local: *; };' > "$build/exports.map"
clang -O2 -fPIC ${architecture:+"$architecture"} $(pkg-config --cflags lv2) -shared -fuse-ld=lld \
    -Wl,--version-script="$build/exports.map" -Wl,--gc-sections -Wl,--strip-all \
    -Wl,--no-undefined -Wl,-z,relro -Wl,-z,now \
    -o "$bundle/stompline.so" Sources/StomplinePlugin/Descriptors.c \
    "$build/Realtime.o" "$build/Processing.o" "$build/DSP.o" "$build/Effects.o" -lm
# Written last, so that an interrupted build is repeated.
echo "$inputs" >"$build/inputs"
