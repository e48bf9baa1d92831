internal import Glibc

/// The levels of a step.
public struct StepLevels: Sendable, Equatable {
    /// The level of an audio output.
    public struct Output: Sendable, Equatable {
        /// The name of the output.
        public var name: String
        /// The highest magnitude of a sample, in dB of full scale; -120 for silence.
        public var peakDecibels: Double
        /// The same, after the sound of the former step has ended.
        var settledPeakDecibels: Double
        /// The loudness, in LUFS; `nil` if it is too quiet or too short.
        public var loudness: Double?
    }

    /// The outputs, in the order of the ports.
    public var outputs: [Output] = []
    /// The highest level of each node's outputs, in dB of full scale, by its id.
    public var nodePeaks: [String: Double] = [:]
    /// The strongest action of an output's limiter, in dB from 0 down.
    public var limiterDecibels = 0.0

    /// Returns the loudness of outputs together, in LUFS; `nil` if each is too quiet or too short.
    ///
    /// It is the sum of their powers, as EBU R 128 adds the channels of one output.
    ///
    /// - Parameter names: The outputs; empty for all.
    /// - Returns: The loudness.
    func loudness(ofOutputs names: Set<String>) -> Double? {
        let counted = outputs.filter { names.isEmpty || names.contains($0.name) }
            .compactMap(\.loudness)
        guard counted.count > 1 else { return counted.first }
        return 10 * log10(counted.map { pow(10, $0 / 10) }.reduce(0, +))
    }

    /// Notes a level of a node.
    mutating func note(_ peak: Double, ofNode node: String) {
        nodePeaks[node] = max(nodePeaks[node] ?? -120, peak)
    }
}

/// Returns an amplitude in dB, at least -120.
func decibels(_ amplitude: Double) -> Double { max(-120, 20 * log10(max(amplitude, 1e-6))) }
