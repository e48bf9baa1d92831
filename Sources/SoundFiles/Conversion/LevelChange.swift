/// The loudness of a sound, and the gain that changes it to a target.
public struct LevelChange: Sendable, Equatable {
    /// The integrated loudness before the change, in LUFS; `nil` if the sound is too quiet.
    public let measured: Double?
    /// The true peak before the change, in dB of full scale.
    public let truePeakDecibels: Double
    /// The gain of the change.
    public let gainDecibels: Double
    /// Whether the peaks did not allow the full gain.
    public let isLimitedByPeaks: Bool

    /// The highest true peak after an increase: -1 dB of full scale (EBU R 128).
    public static let highestPeakDecibels = -1.0

    /// Calculates the gain towards a loudness in LUFS.
    ///
    /// The gain is smaller if peaks would exceed -1 dB. Silence is not changed.
    init(measured: Double?, truePeakDecibels: Double, target: Double) {
        self.measured = measured
        self.truePeakDecibels = truePeakDecibels
        let wanted = measured.map { target - $0 } ?? 0
        // The peaks never limit a reduction of the level.
        let room = max(Self.highestPeakDecibels - truePeakDecibels, min(wanted, 0))
        isLimitedByPeaks = wanted > room
        gainDecibels = min(wanted, room)
    }

    /// The integrated loudness after the change, in LUFS; `nil` for silence.
    public var reached: Double? { measured.map { $0 + gainDecibels } }
}
