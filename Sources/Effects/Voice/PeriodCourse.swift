internal import CRealtime
internal import DSP
internal import Realtime

/// The course of a voice's period, from which the period of the present sound is predicted.
///
/// A tracker measures the period over a window, so its result is late. A vibrato that is corrected
/// with late periods keeps a fifth of its depth.
struct PeriodCourse: ~Copyable {
    /// The latest periods in frames, one per step.
    private let recent: Buffer<Double>
    private let stepFrames: Double
    /// The number of the latest steps whose slope limits the prediction.
    private let shortSteps: Int
    private var count = 0
    private var index = 0
    /// The predicted period, in frames.
    private(set) var periodFrames = 1.0

    /// The time over which the slope is measured, in seconds.
    private static var slopeSeconds: Double { 0.011 }
    /// The largest correction, relative to the period: 19 cents.
    ///
    /// A larger one belongs to a glide between two notes, which would be continued too far, and is
    /// made smaller or left out.
    private static var largest: Double { @_noLocks get { 0.011 } }
    /// The age of the sound in the grains, in periods and in frames per step, relative to the age
    /// of the tracker's period; measured with vibrato on voices from 98 to 587 Hz.
    private static var ageInPeriods: Double { @_noLocks get { 0.25 } }
    private static var ageInSteps: Double { @_noLocks get { 1.6 } }

    init(stepFrames: Int, sampleRate: Double) {
        self.stepFrames = Double(stepFrames)
        let steps = Int(PeriodCourse.slopeSeconds * sampleRate / Double(stepFrames) + 0.5)
        recent = Buffer(count: max(2, steps), repeating: 0)
        shortSteps = max(1, recent.count / 3)
    }

    /// Ends the course: the voice has no pitch.
    @_noLocks
    mutating func end() {
        count = 0
        index = 0
    }

    /// Follows the tracker by one step of a voice.
    @_noLocks
    mutating func step(_ pitch: VoicePitch) {
        let period = pitch.periodFrames
        let oldest = recent[index]
        recent[index] = period
        index = index + 1 == recent.count ? 0 : index + 1
        count = min(count + 1, recent.count + 1)
        periodFrames = period
        guard count > recent.count else { return }
        let slope = (period - oldest) / (Double(recent.count) * stepFrames)
        let age =
            pitch.ageFrames - PeriodCourse.ageInPeriods * period
            + PeriodCourse.ageInSteps * stepFrames
        // The slope ends when a glide ends: the latest steps show it first.
        let latest = periodFrames - recent[(index + recent.count - 1 - shortSteps) % recent.count]
        let short = latest / (Double(shortSteps) * stepFrames)
        let share = slope == 0 ? 0 : min(max(2 * short / slope, 0), 1)
        let change = slope * share * max(0, age)
        let limit = PeriodCourse.largest * period
        let excess = max(0, abs(change) / limit - 1)
        periodFrames += min(max(change, -limit), limit) * max(0, 1 - excess)
    }
}
