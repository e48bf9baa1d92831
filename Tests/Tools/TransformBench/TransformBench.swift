import DSP
import Glibc

/// Runs transforms of one size in turns, and measures the shortest time of each.
struct TransformBench {
    let size: Int
    private let subjects: [Subject]

    init(size: Int) {
        self.size = size
        let places = Places(size: size)
        subjects =
            [Subject(ours: size, places)]
            + [
                Subject(kissfft: size, places), Subject(fftw: size, places),
            ].map { $0 ?? Subject(forward: nil, inverse: nil) }
    }

    func printRow() {
        let repetitions = max(4, 100_000 / size)
        var least = subjects.map { _ in (forward: Double.infinity, inverse: Double.infinity) }
        for _ in 0..<60 {
            for (index, subject) in subjects.enumerated() {
                let forward = microseconds(subject.forward, repetitions: repetitions)
                let inverse = microseconds(subject.inverse, repetitions: repetitions)
                least[index].forward = min(least[index].forward, forward)
                least[index].inverse = min(least[index].inverse, inverse)
            }
        }
        let ours = least[0]
        let cells = least.enumerated().flatMap { index, times in
            index == 0
                ? [text(times.forward) + " µs", text(times.inverse) + " µs"]
                : [
                    ratio(times.forward, to: ours.forward),
                    ratio(times.inverse, to: ours.inverse),
                ]
        }
        print("| \(size) | \(cells.joined(separator: " | ")) |")
    }
}

/// A library's forward and inverse transform; `nil` if the library is not installed.
struct Subject {
    let forward: (() -> Void)?
    let inverse: (() -> Void)?
}

/// The buffers of the transforms.
struct Places {
    let signal, output, real, imaginary, pairs: UnsafeMutablePointer<Float>

    init(size: Int) {
        func place() -> UnsafeMutablePointer<Float> {
            let raw = UnsafeMutableRawPointer.allocate(byteCount: 4 * (size + 64), alignment: 64)
            return raw.initializeMemory(as: Float.self, repeating: 0, count: size + 64)
        }
        (signal, output, real, imaginary, pairs) = (place(), place(), place(), place(), place())
        for frame in 0..<size { signal[frame] = Float.random(in: -1...1) }
    }
}

private func microseconds(_ action: (() -> Void)?, repetitions: Int) -> Double {
    guard let action else { return .nan }
    let start = seconds()
    for _ in 0..<repetitions { action() }
    return (seconds() - start) / Double(repetitions) * 1e6
}

private func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}

private func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

private func ratio(_ time: Double, to ours: Double) -> String {
    time.isFinite ? "× " + text(time / ours) : "not installed"
}
