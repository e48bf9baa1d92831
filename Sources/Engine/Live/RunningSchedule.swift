internal import CRealtime
internal import Processing
internal import Realtime

/// A running schedule: the current one, or an earlier one that rings out.
struct RunningSchedule: BitwiseCopyable {
    var schedule: PlayingSchedule
    /// The level of the outputs: the gain of the schedule, with fades.
    var output: SmoothRamp
    /// The remaining frames of the tail; negative for the current schedule.
    private(set) var tailFrames: Int64 = -1
    private var quietFrames: Int64 = 0
    private(set) var isEnding = false

    /// Activates a schedule, either at full level or with a ramp from silence.
    @_noLocks
    init(_ schedule: PlayingSchedule, fadingIn: Bool) {
        self.schedule = schedule
        let gain = schedule.core.pointee.outputGain
        output = SmoothRamp(fadingIn ? 0 : gain)
        schedule.begin()
        guard fadingIn else { return }
        // The ramp applies to the input, because an echo would repeat an edge of the input. A
        // source has no input, so the output has a short ramp too.
        let frames = schedule.core.pointee.rate.exchangeFrames
        schedule.core.pointee.inputLevel.pointee.fadeIn(frames: frames)
        output.move(to: gain, frames: max(1, frames / 6))
    }

    /// Continues as a schedule that takes over the nodes that stay.
    ///
    /// If the gains differ, the level moves to the new gain.
    @_noLocks
    mutating func follow(_ successor: PlayingSchedule) {
        schedule = successor
        let gain = successor.core.pointee.outputGain
        guard gain != output.target else { return }
        output.move(to: gain, frames: max(1, fadeFrames))
    }

    /// Feeds the schedule silence from now on, so that it rings out.
    @_noLocks
    mutating func leave(tailFrames newTailFrames: Int64) {
        tailFrames = newTailFrames
        schedule.core.pointee.inputLevel.pointee.move(to: 0, frames: fadeFrames)
        for index in 0..<schedule.core.pointee.nodeCount {
            let node = schedule.core.pointee.nodes[index]
            // A source would continue instead of ringing out.
            node.pointee.leave(tailFrames: node.pointee.wiring.isSource ? 0 : .max)
        }
    }

    /// Begins a running fade of the input again from its current level, together with the schedule
    /// that leaves now: only if all fades begin together do the levels add up to that of one.
    @_noLocks
    func fadeInputWithTheNext() {
        let level = schedule.core.pointee.inputLevel
        guard !level.pointee.isSilent else { return }
        level.pointee.move(to: 0, frames: fadeFrames)
    }

    /// Fades the schedule out.
    @_noLocks
    mutating func end() {
        guard !isEnding else { return }
        isEnding = true
        output.move(to: 0, frames: fadeFrames)
    }

    /// Whether the schedule is no longer audible.
    var hasEnded: Bool { @_noLocks get { isEnding && output.isResting } }

    private var fadeFrames: Int32 { @_noLocks get { schedule.core.pointee.rate.exchangeFrames } }

    /// Records a cycle of a schedule that rings out, and ends the schedule if its time is over or
    /// it is silent.
    @_noLocks
    mutating func ringOut(_ frames: Int) {
        guard tailFrames >= 0, !isEnding else { return }
        let core = schedule.core.pointee
        for index in 0..<core.nodeCount {
            core.nodes[index].pointee.removal.ringOut(
                frames, isSilent: false, fadeFrames: fadeFrames / 6)
        }
        guard core.inputLevel.pointee.isSilent else { return }
        tailFrames = max(0, tailFrames - Int64(frames))
        var peak: Float = 0
        for channel in 0..<core.outputCount {
            peak = max(peak, rt_level(core.outputs[channel], Int64(frames)).peak)
        }
        quietFrames = peak > Transition.silence ? 0 : quietFrames + Int64(frames)
        if tailFrames == 0 || quietFrames >= Int64(core.gapFrames) { end() }
    }
}
