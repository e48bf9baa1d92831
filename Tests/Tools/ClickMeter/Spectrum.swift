import DSP
import Glibc

/// Measures the energy of a sound outside a band, in overlapping windows.
struct Spectrum: ~Copyable {
    private static let windowFrames = 8192
    /// Gives side lobes at -115 dB and a main lobe of 30 Hz to either side.
    private static let kaiserShape = 16.0
    private let transform = RealTransform(size: windowFrames)
    private let window: [Float]
    private let sampleRate: Double

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        window = kaiserWindow(frames: Self.windowFrames, shape: Self.kaiserShape)
    }

    /// Returns the largest energy of a window.
    func loudest(_ sound: [Float]) -> Double {
        windows(of: sound) { $0.reduce(0, +) }
    }

    /// Returns the largest energy of a window outside a band in Hz.
    func maximumOutside(_ band: ClosedRange<Double>, of sound: [Float]) -> Double {
        let hertz = sampleRate / Double(Self.windowFrames)
        return windows(of: sound) { energies in
            energies.enumerated().reduce(0) { sum, bin in
                band.contains(Double(bin.offset) * hertz) ? sum : sum + bin.element
            }
        }
    }

    private func windows(of sound: [Float], _ figure: ([Double]) -> Double) -> Double {
        stride(from: 0, through: sound.count - Self.windowFrames, by: Self.windowFrames / 4)
            .map { figure(energies(sound, from: $0)) }.max() ?? 0
    }

    private func energies(_ sound: [Float], from first: Int) -> [Double] {
        let frames = (0..<Self.windowFrames).map { sound[first + $0] * window[$0] }
        var (real, imaginary) = (
            [Float](repeating: 0, count: transform.bins),
            [Float](repeating: 0, count: transform.bins)
        )
        transform.forward(frames, real: &real, imaginary: &imaginary)
        return (0..<transform.bins).map {
            Double(real[$0] * real[$0] + imaginary[$0] * imaginary[$0])
        }
    }
}

/// Returns a Kaiser window.
func kaiserWindow(frames: Int, shape: Double) -> [Float] {
    func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for order in 1...60 {
            term *= x / 2 / Double(order) * (x / 2 / Double(order))
            sum += term
        }
        return sum
    }
    return (0..<frames).map { frame in
        let x = 2 * (Double(frame) + 0.5) / Double(frames) - 1
        return Float(bessel(shape * (1 - x * x).squareRoot()) / bessel(shape))
    }
}
