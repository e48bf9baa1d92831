internal import CRealtime
internal import DSP
internal import Realtime

/// The latest input of one voice, its pitch, and a mark in each of its periods: the part that all
/// effects on a voice share.
///
/// All channels share the pitch and the marks of their sum. The pitch is followed at the ends of
/// steps, which are counted from the start.
struct VoiceFollower: ~Copyable {
    let channelCount: Int
    /// The number of frames from one decision to the next.
    let stepFrames: Int
    let history: VoiceHistory
    private var tracker: PitchTracker
    private(set) var marks: PeriodMarks
    private var course: PeriodCourse
    /// The number of frames since the start.
    private(set) var now = 0

    /// The largest ratio of a heard pitch to that of the input.
    private static var largestRatio: Double { @_noLocks get { 4 } }

    init(channelCount: Int, sampleRate: Double) {
        self.channelCount = channelCount
        tracker = PitchTracker(sampleRate: sampleRate)
        stepFrames = tracker.scale.stepFrames
        marks = PeriodMarks(scale: tracker.scale)
        course = PeriodCourse(stepFrames: stepFrames, sampleRate: sampleRate)
        history = VoiceHistory(channelCount: channelCount, stepFrames: stepFrames)
    }

    /// The pitch at the end of the latest step.
    var pitch: VoicePitch { @_noLocks get { tracker.pitch } }

    /// The number of frames until the step ends.
    var restFrames: Int { @_noLocks get { stepFrames - now % stepFrames } }

    /// Whether a step has just ended.
    var isAtStep: Bool { @_noLocks get { now % stepFrames == 0 } }

    /// The period of the sound that is played next, in frames: the tracker measures a past one.
    var periodFrames: Double { @_noLocks get { course.periodFrames } }

    /// Returns the target with which the sound that is played next is heard with a period.
    ///
    /// - Parameters:
    ///   - wanted: The period in frames.
    ///   - speed: The shift of the formants, as a ratio.
    /// - Returns: The target; its ratio is never exactly 1.
    @_noLocks
    func target(periodFrames wanted: Double, speed: Double) -> VoiceTarget {
        let ratio = min(periodFrames / wanted, VoiceFollower.largestRatio)
        // A ratio of exactly 1 would pass the voice as if it were unpitched.
        return VoiceTarget(
            ratio: ratio == 1 ? ratio.nextUp : ratio, speed: speed, sourceFrames: periodFrames)
    }

    @_noLocks
    mutating func reset() {
        tracker.reset()
        marks.reset()
        course.end()
        history.reset()
        now = 0
    }

    /// The number of words of `note`.
    static var noteWords: Int { 1 + PitchTracker.noteWords + PeriodMarks.noteWords }

    /// Writes the time, the pitch and the marks; at the end of a step.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(now)
        tracker.note(to: notes)
        marks.note(to: notes)
    }

    /// Continues from a noted time.
    ///
    /// - Returns: Whether the time is the same as before.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) -> Bool {
        let former = now
        now = notes.pointee.pop(from: 0, through: 1 << 50) / stepFrames * stepFrames
        tracker.follow(notes)
        marks.follow(notes)
        return now == former
    }

    /// Stores frames of each channel, and their mean for the tracker.
    ///
    /// - Parameters:
    ///   - inputs: The channels.
    ///   - first: The index of the first frame.
    ///   - count: The number of frames, at most `restFrames`.
    @_noLocks
    func listen(_ inputs: UnsafePointer<UnsafePointer<Float>>, first: Int, count: Int) {
        let mean = tracker.frames + now % stepFrames
        let share = 1 / Float(channelCount)
        for channel in 0..<channelCount {
            history.write(inputs[channel] + first, channel: channel, firstFrame: now, count: count)
            let stored = history.address(channel: channel, frame: now)
            for frame in 0..<count {
                let before = channel == 0 ? 0 : mean[frame]
                // The limit keeps squares from overflowing.
                mean[frame] = before + share * min(max(stored[frame], -10_000), 10_000)
            }
        }
    }

    /// Advances by frames that were stored, and follows the pitch if a step ends.
    @_noLocks
    mutating func advance(_ count: Int) {
        now += count
        guard isAtStep else { return }
        marks.add(tracker.frames)
        tracker.step()
        if tracker.pitch.isVoiced {
            marks.follow(tracker.pitch, now: Double(now))
            course.step(tracker.pitch)
        } else {
            marks.lose()
            course.end()
        }
    }
}
