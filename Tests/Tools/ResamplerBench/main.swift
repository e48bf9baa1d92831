// Benchmarks our resampler and libsamplerate, if that is installed, for docs/resampler.md.

let conversions: [(from: Double, to: Double, tone: Double)] = [
    (44_100, 48_000, 17_000), (48_000, 44_100, 17_000), (96_000, 48_000, 17_000),
    (44_100, 96_000, 17_000), (3000, 48_000, 1100), (44_101, 48_000, 17_000),
]
print("| from | to | resampler | ns, mono | ns, stereo | worst / mean | noise | 20 kHz |")
print("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
for conversion in conversions {
    for subject in Subject.all {
        ResamplerBench(conversion.from, conversion.to, tone: conversion.tone, subject)?.printRow()
    }
}
