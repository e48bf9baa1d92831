internal import CRealtime
public import Realtime

// How a stretch continues in a replay that lacks the beginning.
//
// The turns of the peaks depend on all turns before. Together with the spectra of the latest frames,
// which the replay has, they give the last output frame.
extension StretchEngine {
    /// A number of frames that no session reaches.
    static var mostFrames: Int { @_noLocks get { 1 << 50 } }

    /// The largest number of words of `note`.
    public var noteWords: Int {
        10 + AttackSlots.noteWords + peaks.noteWords + levels.noteWords
    }

    /// Writes what depends on more than the latest sound; at the start of a hop.
    @_noLocks
    public func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(madeFrames)
        notes.pointee.put(inputFrame)
        notes.pointee.put(unreadFrame)
        notes.pointee.put(steadyHops)
        notes.pointee.put(
            hop.kind.number + 4 * window + 8 * settlingHops + (hasPrevious ? 64 : 0))
        notes.pointee.put(change, 0)
        scan.note(to: notes)
        lifter.note(to: notes)
        slots.note(to: notes)
        guard hop.kind != .pass else { return }
        peaks.note(to: notes)
        if hasLevels { levels.note(to: notes) }
    }

    /// Continues from a note; at the start of a hop, or anywhere if the engine was elsewhere then.
    ///
    /// - Parameters:
    ///   - notes: The notes.
    ///   - ring: The input.
    ///   - movedFrames: The difference between the new and the former numbers of its frames.
    ///   - readFrame: The frame at which the output is read.
    @_noLocks
    public mutating func follow(
        _ notes: UnsafeMutablePointer<StateNotes>, _ ring: borrowing CaptureRing,
        movedFrames: Int, readFrame: Int
    ) {
        let (most, near) = (StretchEngine.mostFrames, 3 * lengths.hopFrames)
        let isHere = stage == 0
        (stage, addedChannels) = (0, 0)
        madeFrames = notes.pointee.pop(from: readFrame - near, through: readFrame + near)
        inputFrame = notes.pointee.popNumber(within: Double(most))
        unreadFrame = notes.pointee.pop(from: -most, through: most)
        steadyHops = notes.pointee.pop(from: 0, through: most)
        let flags = notes.pointee.pop(from: 0, through: 127)
        change = notes.pointee.popNumbers(within: 2).0
        scan.follow(notes, ring, movedFrames: movedFrames)
        lifter.follow(notes)
        slots.follow(notes)
        window = flags >> 2 & 1
        settlingHops = min(flags >> 3 & 7, StretchEngine.settleHops)
        hasPrevious = flags & 64 != 0
        guard isHere, movedFrames == 0, flags & 3 == hop.kind.number, hop.kind != .pass,
            peaks.follow(notes, power: memory.power)
        else { return }
        repeatTurns(notes)
    }

    /// Writes the last output frame again, with the turns of its peaks.
    @_noLocks
    private mutating func repeatTurns(_ notes: UnsafeMutablePointer<StateNotes>) {
        closePartials.forget()
        if hasLevels {
            levels.follow(notes, turns: peaks.turns.array, window: window)
            if isSteady { closePartials.find(peaks, power: memory.power) }
        }
        for channel in 0..<channelCount { turn(channel) }
    }
}

extension StretchHop.Kind {
    /// The number of the kind in notes.
    fileprivate var number: Int {
        @_noLocks get {
            switch self {
            case .pass: 0
            case .turn: 1
            case .settle: 2
            case .land: 3
            }
        }
    }
}
