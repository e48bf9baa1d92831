/// How loud a sound is, and the gain that brings it to another loudness.
public struct LevelChange: Sendable, Equatable {
    /// Integrated loudness before, in LUFS; nil where nothing was loud enough to be measured.
    public let measured: Double?
    /// The highest peak between the samples before, in dB of full scale.
    public let truePeakDecibels: Double
    /// What it is changed by.
    public let gainDecibels: Double
    /// Whether the wish was for more than the peaks allow.
    public let isHeldByPeaks: Bool

    /// The highest true peak that loudness is raised to: EBU R 128's -1 dB of full scale.
    public static let highestPeakDecibels = -1.0

    /// The change towards a loudness, in LUFS: where peaks would exceed -1 dB, less; silence stays as it is.
    init(measured: Double?, truePeakDecibels: Double, target: Double) {
        self.measured = measured
        self.truePeakDecibels = truePeakDecibels
        let wished = measured.map { target - $0 } ?? 0
        // What is lowered is never the worse for its peaks.
        let room = max(Self.highestPeakDecibels - truePeakDecibels, min(wished, 0))
        isHeldByPeaks = wished > room
        gainDecibels = min(wished, room)
    }

    /// Integrated loudness after it, in LUFS; nil for silence.
    public var reached: Double? { measured.map { $0 + gainDecibels } }
}
