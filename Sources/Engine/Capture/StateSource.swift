internal import Processing
internal import Realtime

/// A processor of a schedule that notes the part of its state that does not fade.
struct StateSource: BitwiseCopyable {
    /// The index of the node in the schedule, and that of the processor in the node.
    let node: Int32
    let processor: Int32
    // SAFETY: the kernel of the processor owns the notes, and the schedule its processors.
    let notes: UnsafeMutablePointer<StateNotes>
}

extension [NodeInstance] {
    /// The processors that note their state.
    var stateSources: [StateSource] {
        enumerated().flatMap { node, instance in
            instance.processors.enumerated().compactMap { index, processor in
                processor.stateNotes.map {
                    StateSource(
                        node: Int32(clamping: node), processor: Int32(clamping: index), notes: $0)
                }
            }
        }
    }
}

extension Schedule {
    /// Provides memory for the notes of the processors' state.
    func beginNotingState() {
        for processor in instances.flatMap(\.processors) { processor.beginNotingState() }
    }

    /// Gives a processor a note of its state, from which it continues in the next call.
    ///
    /// - Parameters:
    ///   - state: The words of the note.
    ///   - frame: The frame of the call at which the processor wrote them.
    ///   - node: The index of the node, as it was noted.
    ///   - processor: The index of the processor in the node.
    public func give(state: [UInt64], frame: Int, toNode node: Int, processor: Int) {
        guard instances.indices.contains(node),
            instances[node].processors.indices.contains(processor)
        else { return }
        instances[node].processors[processor].stateNotes?.pointee.give(state, frame: frame)
    }
}

/// The turns in which the processors of a schedule note their state.
///
/// One processor is asked at a time. The longer its note, the longer the next processor waits, so
/// that the notes take a small part of the memory and of the time.
struct StateRound: BitwiseCopyable {
    /// The number of the schedule whose processors take turns.
    private var schedule = UInt64.max
    /// The index of the processor whose turn it is.
    private var index = 0
    private var isAsked = false
    /// The frames since it was asked.
    private var askedFrames = 0
    /// The frames until it may be asked.
    private var waitFrames = 0

    /// The frames between two notes per word of the first one: at 48 kHz, 2,000 words per second.
    private static var framesPerWord: Int { @_noLocks get { 24 } }
    /// The frames of a whole round, unless notes are long: a second at 48 kHz.
    private static var roundFrames: Int { @_noLocks get { 48_000 } }
    /// The frames after which a processor that has not written a note is skipped: it may be halted.
    private static var patienceFrames: Int { @_noLocks get { 16_384 } }

    /// Ends a call.
    ///
    /// - Parameters:
    ///   - core: The schedule that plays.
    ///   - frames: The frames of the call.
    /// - Returns: The processor that has written a note; `nil` without one. The caller stores the
    ///   note before the next call.
    @_noLocks
    mutating func next(
        _ core: UnsafeMutablePointer<ScheduleCore>, frames: Int
    ) -> StateSource? {
        guard core.pointee.stateCount > 0 else { return nil }
        if schedule != core.pointee.number {
            // Most processors remain at their places.
            schedule = core.pointee.number
            (index, isAsked) = (index < core.pointee.stateCount ? index : 0, false)
        }
        let source = core.pointee.states[index]
        guard isAsked else {
            waitFrames -= frames
            guard waitFrames <= 0 else { return nil }
            source.notes.pointee.ask()
            (isAsked, askedFrames) = (true, 0)
            return nil
        }
        if source.notes.pointee.isNoted {
            source.notes.pointee.forget()
            waitFrames = max(
                source.notes.pointee.count * StateRound.framesPerWord,
                StateRound.roundFrames / core.pointee.stateCount)
            advance(core.pointee.stateCount)
            return source
        }
        askedFrames += frames
        if askedFrames < StateRound.patienceFrames {
            source.notes.pointee.ask()
        } else {
            source.notes.pointee.forget()
            advance(core.pointee.stateCount)
        }
        return nil
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        index = index + 1 < count ? index + 1 : 0
        isAsked = false
    }
}
