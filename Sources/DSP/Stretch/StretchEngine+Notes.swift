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
        8 + AttackScan.noteWords + AttackSlots.noteWords + peaks.noteWords + levels.noteWords
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

// The numbers that a sound from before the beginning needs in addition to its samples: the frames of
// its attacks, the lifted attacks, and the average turns of a steady sound, which never forget.
extension StretchEngine {
    /// The number of arrays of `soundArray`.
    public var soundArrayCount: Int {
        @_noLocks get { 1 + AttackSlots.count * (channelCount + 1) + 2 }
    }

    /// Returns an array that a replay needs; one that is not in use now is empty.
    @_noLocks
    public func soundArray(_ index: Int) -> (start: UnsafeMutablePointer<Float>, count: Int) {
        var array = noteArray(index)
        let slot = (index - 1) / (channelCount + 1)
        if index > 0, slot < AttackSlots.count, !slots.isInUse(slot) { array.count = 0 }
        return array
    }

    /// Returns the next array that may be in use, or `soundArrayCount`.
    @_noLocks
    public func nextSoundArray(after index: Int) -> Int {
        let rows = channelCount + 1
        var next = index + 1
        var slot = index / rows
        while next == 1 + slot * rows, slot < AttackSlots.count, !slots.isInUse(slot) {
            slot += 1
            next += rows
        }
        return next
    }

    /// Returns an array: the attacks, the arrays of each slot, or the turns of the close partials.
    @_noLocks
    private func noteArray(_ index: Int) -> (start: UnsafeMutablePointer<Float>, count: Int) {
        guard index > 0 else { return scan.numbers }
        let (slot, row) = ((index - 1) / (channelCount + 1), (index - 1) % (channelCount + 1))
        if slot < AttackSlots.count { return slots.array(slot, row: row) }
        return closePartials.array(isReal: index == soundArrayCount - 2)
    }

    /// Replaces numbers of an array by noted ones, in a replay.
    ///
    /// - Parameters:
    ///   - index: The index of the array.
    ///   - first: The place of the first number in the array, at least 0.
    ///   - noted: The numbers.
    ///   - count: The number of numbers.
    public func restoreArray(
        _ index: Int, from first: Int, _ noted: UnsafePointer<Float>, count: Int
    ) {
        guard index >= 0, index < soundArrayCount else { return }
        if index == 0 { return scan.restore(noted, count: count, from: first) }
        let array = noteArray(index)
        guard first <= array.count, count <= array.count - first else { return }
        let most = mostNumber(index)
        for offset in 0..<count {
            let number = noted[offset]
            array.start[first + offset] = number >= -most && number <= most ? number : 0
        }
    }

    /// Returns the largest magnitude of a number of an array.
    private func mostNumber(_ index: Int) -> Float {
        if index >= soundArrayCount - 2 { return 1e24 }
        return index % (channelCount + 1) == 0 ? 1 : 1e8
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
