internal import Realtime

/// A looper: decides when each command acts on its track.
///
/// A command acts at the first frame of the next block, or waits for a beat, a bar or the start of
/// the loop.
package struct LoopCore: ~Copyable {
    /// The loop.
    package private(set) var track: LoopTrack
    /// The points at which commands act.
    package var points: LoopPoints
    /// The amplitudes.
    package var levels: LoopLevels

    /// The command that waits, and its point; without a point, it waits for the start of the loop.
    private var pending: LoopCommand?
    private var pendingPoint: TempoGrid.Point?
    /// The point at which the step changes; without one, it waits for the start of the loop.
    private var stepPoint: TempoGrid.Point?
    /// The frame in which the loop is cleared, because a pedal is held; `Int.max` if none is.
    package var clearFrame = Int.max

    /// Creates an empty looper.
    package init(_ sizes: LoopSizes, _ store: consuming LoopStore, quantize: LoopQuantize) {
        track = LoopTrack(sizes, store)
        points = LoopPoints(quantize)
        levels = LoopLevels(sampleRate: sizes.sampleRate)
    }

    /// Whether a command waits for its point.
    package var isWaiting: Bool { @_noLocks get { pending != nil } }

    // MARK: Values

    /// Changes speed and direction, at the next point of `quantize` and not before all overdubs are
    /// written.
    ///
    /// - Parameter halfFrames: 1, 2 or 4 half frames per frame, negative for reverse.
    @_noLocks
    package mutating func setStep(_ halfFrames: Int) {
        guard halfFrames != track.wantedStep else { return }
        track.wantedStep = halfFrames
        stepPoint = points.quantize == .loop ? nil : points.first(from: track.now)
    }

    /// The time in frames from playback to the arrival of the input that was played with it.
    ///
    /// A change takes effect when nothing is being recorded.
    @_noLocks
    package mutating func setRoundTrip(_ frames: Int) { track.wantedRoundTrip = frames }

    /// Forgets the loop and all sound at once; the values remain.
    @_noLocks
    package mutating func reset() {
        track.reset()
        (pending, clearFrame) = (nil, .max)
        levels.snap()
    }

    // MARK: Commands

    /// Carries out a command at the next frame, or lets it wait for its point.
    ///
    /// A command replaces one that still waits.
    @_noLocks
    package mutating func request(_ command: LoopCommand) {
        pending = nil
        switch command {
        case .undo: track.undo()
        case .redo: track.redo()
        case .clear: track.clear()
        default:
            switch due(command) {
            case .never: return
            case .loopStart: pendingPoint = nil
            case .at(let point): pendingPoint = point
            }
            pending = command
            performDue()
        }
    }

    @_noLocks
    private mutating func performDue() {
        guard let command = pending else { return }
        if let point = pendingPoint {
            guard point.frame <= track.now else { return }
            pending = nil
            perform(command, at: point)
        } else if let point = track.loopStart {
            pending = nil
            perform(command, at: point)
        }
    }

    @_noLocks
    private mutating func perform(_ command: LoopCommand, at point: TempoGrid.Point) {
        switch track.state {
        case .empty: return record(at: point)
        case .recording: track.finishRecording(at: point)
        case .multiplying: track.finishMultiply()
        case .inserting: track.finishInsert(at: point)
        case .playing, .overdubbing:
            switch command {
            case .record: return record(at: point)
            case .overdub where track.state == .overdubbing, .play: return track.endOverdub()
            case .multiply: return track.multiply(at: point)
            case .insert: return track.insert(at: point)
            default: break
            }
        case .stopped:
            if command == .record { return record(at: point) }
            track.play(at: point)
        }
        if command == .overdub { track.overdub() }
        if command == .stop { track.stop() }
    }

    @_noLocks
    private mutating func record(at point: TempoGrid.Point) {
        track.record(at: point, isFree: points.isFree)
    }

    // MARK: Points

    /// The point of time at which a command acts.
    private enum Due: BitwiseCopyable {
        case at(TempoGrid.Point)
        case loopStart
        case never
    }

    @_noLocks
    private func due(_ command: LoopCommand) -> Due {
        switch (track.state, command) {
        case (.empty, .record), (.empty, .overdub): startDue
        case (.recording, .record), (.recording, .overdub), (.recording, .play),
            (.recording, .stop):
            .at(recordingEnd)
        case (.playing, .overdub), (.overdubbing, .overdub), (.overdubbing, .play):
            .at(LoopPoints.exact(track.now))
        case (.playing, .record), (.overdubbing, .record), (.playing, .stop),
            (.overdubbing, .stop):
            startDue
        case (.playing, .multiply), (.overdubbing, .multiply), (.playing, .insert),
            (.overdubbing, .insert):
            .loopStart
        case (.multiplying, .insert): .never
        case (.multiplying, _): .loopStart
        case (.inserting, .multiply): .never
        case (.inserting, _): .at(insertEnd)
        case (.stopped, .record), (.stopped, .play), (.stopped, .overdub): startDue
        default: .never
        }
    }

    /// The time of a command that may act anywhere.
    private var startDue: Due {
        @_noLocks get {
            if points.quantize == .loop, track.isSounding { return .loopStart }
            return .at(points.first(from: track.now))
        }
    }

    /// The end of a recording that is requested now.
    private var recordingEnd: TempoGrid.Point {
        @_noLocks get {
            points.isFree
                ? LoopPoints.exact(max(track.now - track.roundTripFrames, track.earliestEnd))
                : points.first(from: max(track.now, track.earliestEnd))
        }
    }

    private var insertEnd: TempoGrid.Point {
        @_noLocks get {
            points.insertEnd(
                from: track.start, earliest: max(track.now, track.earliestEnd),
                periodFrames: track.periodFrames)
        }
    }

    // MARK: Files

    /// Stores a loop, which `play` then starts; before the first frame, and not on the audio thread.
    ///
    /// - Parameters:
    ///   - frames: The length, from the track's minimum to the maximum.
    ///   - periodFrames: The time from one start to the next, in frames: within 1 of the length.
    ///   - sample: Returns the sample of a frame in a channel.
    package mutating func load(
        frames: Int, periodFrames: Double, _ sample: (Int, Int) -> Float
    ) {
        track.load(frames: frames, periodFrames: periodFrames, sample)
    }

    /// Begins to save the current layer, which is kept until `endSave`.
    ///
    /// - Returns: The loop to read; `nil` without a loop, or while something is recorded.
    @_noLocks
    package mutating func beginSave() -> SavedLoop? { track.beginSave() }

    /// Ends a save.
    @_noLocks
    package mutating func endSave() { track.endSave() }

    // MARK: Notes for a replay

    /// The number of words of `note`.
    static var noteWords: Int { 8 + LoopTrack.noteWords + TempoGrid.noteWords }

    /// Writes what depends on more than the current values, except the sound of the loop.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        track.note(to: notes)
        points.grid.note(to: notes)
        var command = 0
        if let pending { command = pending.rawValue + 1 }
        notes.pointee.put((points.hasMovedGrid ? 1 : 0) + 2 * command)
        note(pendingPoint, to: notes)
        note(stepPoint, to: notes)
        notes.pointee.put(clearFrame)
    }

    @_noLocks
    private func note(_ point: TempoGrid.Point?, to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(point?.frame ?? .min)
        notes.pointee.put(point?.exact ?? 0)
    }

    /// Continues from a note.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        track.follow(notes)
        points.grid = TempoGrid(notes)
        let word = notes.pointee.pop(from: 0, through: 63)
        points.hasMovedGrid = word & 1 != 0
        pending = LoopCommand(rawValue: word >> 1 - 1)
        pendingPoint = followPoint(notes, from: track.earliestNotedEnd)
        stepPoint = followPoint(notes, from: -(1 << 50))
        clearFrame = notes.pointee.pop(from: .min, through: .max)
    }

    /// Reads a point that is not before a frame; `nil` for none, and for an earlier one.
    @_noLocks
    private func followPoint(
        _ notes: UnsafeMutablePointer<StateNotes>, from least: Int
    ) -> TempoGrid.Point? {
        let frame = notes.pointee.pop(from: .min, through: track.now + (1 << 40))
        let exact = notes.pointee.popNumber(within: 1e18)
        guard frame >= least else { return nil }
        return TempoGrid.Point(
            frame: frame, exact: abs(exact - Double(frame)) <= 1 ? exact : Double(frame))
    }

    /// Returns the next part of the sound of the loop; `nil` after the last one.
    @_noLocks
    mutating func nextPart() -> SoundPart? { track.nextPart() }

    /// Replaces a part of the sound of the loop.
    mutating func restore(_ part: SoundPart) { track.restore(part) }

    // MARK: Frames

    /// Renders frames.
    ///
    /// - Parameters:
    ///   - inputs: A pointer per channel.
    ///   - outputs: A pointer per channel, to memory that overlaps no other.
    ///   - first: The index of the first frame in this memory.
    ///   - count: The number of frames.
    @_noLocks
    package mutating func run(
        _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int = 0,
        frames count: Int
    ) {
        for frame in first..<first + count {
            begin()
            track.play(inputs, outputs, frame, levels.nextGains())
            track.write(feedback: levels.nextFeedback())
            if track.advance() { alignPass() }
        }
    }

    /// Carries out the commands and limits that are due in this frame.
    @_noLocks
    private mutating func begin() {
        if track.now >= clearFrame {
            clearFrame = .max
            request(.clear)
        }
        performDue()
        switch track.state {
        case .recording where track.isFull: endAtMaximum()
        case .inserting where track.isFull:
            pending = nil
            track.finishInsert(at: LoopPoints.exact(track.now))
        case .multiplying:
            if !track.hasRoomForCycle() {
                pending = nil
                track.finishMultiply()
            }
        case .playing: changeStep()
        default: break
        }
        track.followRoundTrip()
    }

    /// Ends a recording that has reached the maximum, at the last beat or bar if there was one.
    @_noLocks
    private mutating func endAtMaximum() {
        pending = nil
        if let point = points.last(upTo: track.now), point.frame >= track.earliestEnd {
            track.finishRecording(at: point)
        } else {
            track.finishRecording(at: LoopPoints.exact(track.now))
        }
    }

    @_noLocks
    private mutating func changeStep() {
        guard track.canChangeStep else { return }
        if let stepPoint {
            guard stepPoint.frame <= track.now else { return }
        } else {
            guard track.isAtLoopStart else { return }
        }
        track.changeStep()
    }

    /// Lets the pass that begins in this frame end on its beat or bar, if it would end close to it.
    @_noLocks
    private mutating func alignPass() {
        guard let exactEnd = track.exactPassEnd else { return }
        let end = points.correctedEnd(
            of: exactEnd, periodFrames: track.periodFrames,
            longestFrames: 0.5 * Double(track.fadeFrames))
        if let end { track.endPass(at: end) }
    }
}
