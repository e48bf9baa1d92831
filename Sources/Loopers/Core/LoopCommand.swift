/// The state of a looper.
package enum LoopState: Int, BitwiseCopyable, Sendable {
    case empty, recording, playing, overdubbing, multiplying, inserting, stopped
}

/// A request to a looper.
package enum LoopCommand: Int, BitwiseCopyable, Sendable, CaseIterable {
    /// Starts a new loop, or ends the recording and plays.
    case record
    /// Switches overdubbing on and off; ends a recording and overdubs.
    case overdub
    /// Plays: ends a recording, an overdub, a multiply or an insert, or starts a stopped loop.
    case play
    /// Stops; `play` starts at the beginning of the loop.
    case stop
    /// Repeats the loop from its next start, and overdubs over the repetitions; ends at a start.
    case multiply
    /// Records at the end of the loop, and makes the loop longer by the recording.
    case insert
    case undo, redo, clear
}

/// The points of time at which commands act.
package enum LoopQuantize: Int, BitwiseCopyable, Sendable, CaseIterable {
    case off, beat, bar, loop
}
