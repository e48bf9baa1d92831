// Benchmarks our transform, and kissfft and FFTW if their libraries are installed.
//
// FFTW is under the GPL: this program loads it for measurements and never links it.

import DSP

print("| size | ours forward | inverse | kissfft forward | inverse | FFTW forward | inverse |")
print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
for size in [256, 512, 1024, 2048, 4096, 8192, 16384] {
    let bench = TransformBench(size: size)
    bench.printRow()
}
