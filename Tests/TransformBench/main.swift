// Times our transform side by side with kissfft and FFTW where their libraries are installed.
//
// FFTW is under the GPL: it is loaded here, to be measured, and never linked.

import DSP

print("| size | ours forward | inverse | kissfft forward | inverse | FFTW forward | inverse |")
print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
for size in [256, 512, 1024, 2048, 4096, 8192, 16384] {
    let bench = TransformBench(size: size)
    bench.printRow()
}
