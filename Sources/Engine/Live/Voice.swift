internal import CRealtime
internal import Processing
internal import Realtime

/// A schedule that sounds: the one that plays, or one before it that rings out.
struct Voice: BitwiseCopyable {
    var schedule: PlayingSchedule
    var output: Swell
    /// Frames that it may still ring; negative for one that plays.
    private(set) var tailFrames: Int64 = -1
    private var quietFrames: Int64 = 0
    private(set) var isEnding = false

    /// A schedule that swells in from silence, or is there at once.
    @_noLocks
    init(_ schedule: PlayingSchedule, swelling: Bool) {
        self.schedule = schedule
        output = Swell(swelling ? 0 : 1)
        schedule.core.pointee.begin()
        guard swelling else { return }
        // The input is what fades, for an echo would repeat its edge. What sounds by itself swells in.
        let frames = schedule.core.pointee.rate.exchangeFrames
        schedule.core.pointee.inputLevel.pointee.rise(frames: frames)
        output.move(to: 1, frames: max(1, frames / 6))
    }

    /// Feeds it silence from now on.
    @_noLocks
    mutating func leave(tailFrames newTailFrames: Int64) {
        tailFrames = newTailFrames
        schedule.core.pointee.inputLevel.pointee.move(to: 0, frames: fadeFrames)
        for place in 0..<schedule.core.pointee.nodeCount {
            let node = schedule.core.pointee.nodes[place]
            // What sounds by itself would not ring out, but go on.
            node.pointee.leave(tailFrames: node.pointee.wiring.isSource ? 0 : .max)
        }
    }

    /// Fades it out.
    @_noLocks
    mutating func end() {
        guard !isEnding else { return }
        isEnding = true
        output.move(to: 0, frames: fadeFrames)
    }

    /// Whether nothing of it is heard any more.
    var hasEnded: Bool { @_noLocks get { isEnding && output.isResting } }

    private var fadeFrames: Int32 { @_noLocks get { schedule.core.pointee.rate.exchangeFrames } }

    /// Takes in that a cycle of a schedule that rings out was played: it ends once its time is over or it is silent.
    @_noLocks
    mutating func ring(_ frames: Int) {
        guard tailFrames >= 0, !isEnding else { return }
        let core = schedule.core.pointee
        for place in 0..<core.nodeCount {
            core.nodes[place].pointee.departure.ring(
                frames, isSilent: false, fadeFrames: fadeFrames / 6)
        }
        guard core.inputLevel.pointee.isShut else { return }
        tailFrames = max(0, tailFrames - Int64(frames))
        var peak: Float = 0
        for channel in 0..<core.outputCount {
            peak = max(peak, rt_level(core.outputs[channel], Int64(frames)).peak)
        }
        quietFrames = peak > Transition.silence ? 0 : quietFrames + Int64(frames)
        if tailFrames == 0 || quietFrames >= Int64(core.gapFrames) { end() }
    }
}
