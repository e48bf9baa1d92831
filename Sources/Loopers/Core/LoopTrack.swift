internal import Realtime

/// The track of a looper: records, overdubs, multiplies and plays one loop with any number of
/// channels.
///
/// All work is done frame by frame, so the result does not depend on how the frames are split into
/// blocks. `LoopCore` decides in which frame an operation begins.
package struct LoopTrack: ~Copyable {
    private var tape: LoopTape
    private let maximumFrames: Int
    private var voice = LoopVoice()
    /// Whether the loop plays.
    private(set) var isSounding = false
    private var punch = Punch()
    private var isPunching = false
    /// The number of frames since the start.
    package private(set) var now = 0
    /// The current activity.
    package private(set) var state = LoopState.empty
    /// Whether a cycle begins in this frame.
    private(set) var isAtLoopStart = false

    /// The start of the recording, multiply or insert.
    private(set) var start = TempoGrid.Point(frame: 0, exact: 0)
    private var startCycle = 0
    /// The layer that is recorded by a multiply or insert.
    private var newLayer = 0
    private var insertPosition = 0

    /// The order in which the loop is noted for a replay.
    private var sweep = LoopSweep()

    /// The requested speed and direction, in half frames per frame.
    var wantedStep = 2
    /// The requested round trip, in frames.
    var wantedRoundTrip = 0

    /// Creates an empty track.
    init(_ sizes: LoopSizes, _ store: consuming LoopStore) {
        tape = LoopTape(sizes, store)
        maximumFrames = sizes.maximumFrames
    }

    // MARK: Reports

    /// The number of frames of the loop, or of the recording so far.
    package var lengthFrames: Int {
        @_noLocks get {
            switch state {
            case .empty: 0
            case .recording: now - start.frame
            case .multiplying: now - start.frame
            case .inserting: insertPosition + now - start.frame
            case .playing, .overdubbing, .stopped: layerLength
            }
        }
    }

    /// The position in the loop, in frames.
    package var positionFrames: Int {
        @_noLocks get { isSounding ? voice.position >> 1 : state == .stopped ? 0 : lengthFrames }
    }

    /// The number of times that the loop has started again.
    package var cycle: Int { @_noLocks get { isSounding ? voice.cycle : 0 } }
    /// The number of overdubs that `undo` can remove.
    package var undoCount: Int { @_noLocks get { tape.store.undoCount } }
    /// The number of overdubs that `redo` can bring back.
    package var redoCount: Int { @_noLocks get { tape.store.redoCount } }
    /// The frames of the shortest loop.
    package var minimumFrames: Int { @_noLocks get { 2 * (tape.lagFrames + tape.fade.frameCount) } }

    private var layerLength: Int {
        @_noLocks get { tape.store.layer(tape.store.current).pointee.lengthFrames }
    }

    // MARK: Times

    /// The time from playback of a frame to the arrival of its input, in frames.
    var roundTripFrames: Int { @_noLocks get { tape.roundTripFrames } }

    /// The number of frames of a fade.
    var fadeFrames: Int { @_noLocks get { tape.fade.frameCount } }

    /// The time from one start of the current layer to the next, in frames.
    var periodFrames: Double {
        @_noLocks get { tape.store.layer(tape.store.current).pointee.periodFrames }
    }

    /// The first frame at which the recording or insert can end.
    var earliestEnd: Int { @_noLocks get { start.frame + minimumFrames } }

    /// Whether the recording or insert has reached the maximum.
    var isFull: Bool { @_noLocks get { lengthFrames >= maximumFrames } }

    /// The exact time of the loop's start, if it is in this frame.
    var loopStart: TempoGrid.Point? {
        @_noLocks get {
            guard isAtLoopStart, isSounding else { return nil }
            return TempoGrid.Point(frame: now, exact: Double(now) + voice.cyclePhase)
        }
    }

    // MARK: Recording

    /// Begins a recording.
    ///
    /// - Parameters:
    ///   - point: The start.
    ///   - isFree: Whether the start is dated back by the round trip; see `LoopPoints.isFree`.
    @_noLocks
    mutating func record(at point: TempoGrid.Point, isFree: Bool) {
        clear()
        tape.setRoundTrip(wantedRoundTrip)
        tape.store.current = tape.store.addLayer(isDerived: false)
        start = isFree ? LoopPoints.exact(now - tape.roundTripFrames) : point
        tape.noteRecording(before: now, from: start.frame, tape.store.current)
        state = .recording
    }

    /// Ends a recording, which then plays from its start.
    @_noLocks
    mutating func finishRecording(at end: TempoGrid.Point) {
        let layer = tape.store.layer(tape.store.current)
        layer.pointee.lengthFrames = end.frame - start.frame
        layer.pointee.periodFrames = end.exact - start.exact
        play(at: end)
    }

    /// Plays the current layer from its start, which was at a point.
    @_noLocks
    mutating func play(at point: TempoGrid.Point) {
        // Pending overdubs move at the previous speed, and playback must not overtake them.
        let step = state != .stopped ? 2 : tape.isIdle(at: now) ? wantedStep : voice.step
        voice = LoopVoice(
            layer: tape.store.current,
            periodFrames: tape.store.layer(tape.store.current).pointee.periodFrames,
            phaseFrames: point.exact - Double(point.frame))
        voice.step = step
        if step < 0 { voice.position = 2 * (voice.cycleFrames - 1) }
        voice.skip(now - point.frame)
        isAtLoopStart = point.frame == now
        isSounding = true
        state = .playing
    }

    /// Lets the loop fade out.
    @_noLocks
    mutating func stop() {
        release()
        isSounding = false
        state = .stopped
    }

    /// Forgets the loop, which fades out.
    @_noLocks
    mutating func clear() {
        punch = Punch()
        release()
        isSounding = false
        tape.store.clear()
        sweep.restart()
        state = .empty
    }

    /// Lets playback and the overdub fade out; the caller starts the next activity.
    @_noLocks
    private mutating func release() {
        if isSounding { tape.release(voice, at: now, punch) }
        punch.frames = 0
        isPunching = false
    }

    /// Forgets the loop and all sound at once.
    @_noLocks
    mutating func reset() {
        isSounding = false
        clear()
        isAtLoopStart = false
        tape.forgetSound()
    }

    // MARK: Overdubs

    /// Begins an overdub, in a new layer unless the last one still fades out.
    @_noLocks
    mutating func overdub() {
        state = .overdubbing
        isPunching = true
        // The last overdub still fades out: this one continues it.
        guard punch.frames == 0 else { return }
        tape.store.forget(above: tape.store.current)
        tape.store.current = tape.store.addLayer(isDerived: true)
        voice.layer = tape.store.current
    }

    /// Ends an overdub, which fades out.
    @_noLocks
    mutating func endOverdub() {
        isPunching = false
        state = .playing
    }

    /// Removes the last overdub, or abandons the current recording, multiply or insert.
    @_noLocks
    mutating func undo() {
        switch state {
        case .empty: return
        case .recording: clear()
        case .multiplying:
            // The new layer is forgotten, so its overdub needs no end.
            punch = Punch()
            isPunching = false
            abandon()
            state = .playing
        case .inserting:
            abandon()
            play(at: LoopPoints.exact(now))
        case .playing, .overdubbing, .stopped:
            if undoCount > 0 { move(to: tape.store.current - 1) }
        }
    }

    /// Brings back the last overdub that `undo` removed.
    @_noLocks
    mutating func redo() {
        guard state == .playing || state == .overdubbing || state == .stopped, redoCount > 0
        else { return }
        move(to: tape.store.current + 1)
    }

    /// Forgets the layer of a multiply or insert.
    @_noLocks
    private mutating func abandon() {
        tape.store.recorded = 0
        tape.store.forget(above: tape.store.current)
    }

    @_noLocks
    private mutating func move(to layer: Int) {
        release()
        tape.store.current = layer
        sweep.restart()
        guard isSounding else { return }
        voice.move(
            to: layer, periodFrames: tape.store.layer(layer).pointee.periodFrames)
        voice.age = 0
        state = .playing
    }

    // MARK: Multiply and insert

    private var isAtNormalSpeed: Bool { @_noLocks get { voice.step == 2 && wantedStep == 2 } }

    /// Begins a multiply; the new layer gets whole cycles of the loop, with an overdub.
    @_noLocks
    mutating func multiply(at point: TempoGrid.Point) {
        guard isAtNormalSpeed, 2 * voice.cycleFrames <= maximumFrames else { return }
        tape.store.forget(above: tape.store.current)
        let frames = 2 * voice.cycleFrames + tape.fade.frameCount
        guard tape.store.reserve(frames: frames, keeping: tape.store.current) else { return }
        tape.releasePunches(voice, at: now, punch)
        punch.frames = 0
        newLayer = tape.store.addLayer(isDerived: false)
        tape.store.recorded = newLayer
        tape.copyLead(of: voice, to: newLayer)
        start = point
        startCycle = voice.cycle
        isPunching = true
        state = .multiplying
    }

    /// Ends a multiply at the start of a cycle; without a whole cycle, the loop is as before.
    @_noLocks
    mutating func finishMultiply() {
        let cycles = voice.cycle - startCycle
        guard cycles > 0 else { return undo() }
        let layer = tape.store.layer(newLayer)
        layer.pointee.lengthFrames = now - start.frame
        layer.pointee.periodFrames =
            Double(cycles) * tape.store.layer(tape.store.current).pointee.periodFrames
        // The overdub continues in the new loop, and fades out there. An earlier overdub may have
        // reached the old loop since its start was copied, so playback fades from one to the other.
        let continuing = punch
        punch = Punch()
        release()
        punch = continuing
        voice = LoopVoice(
            layer: newLayer, periodFrames: layer.pointee.periodFrames,
            phaseFrames: voice.cyclePhase)
        state = .playing
        takeOver()
    }

    /// Makes the layer of a multiply or insert the current one.
    @_noLocks
    private mutating func takeOver() {
        tape.store.current = newLayer
        tape.store.recorded = 0
        sweep.restart()
    }

    /// Returns whether another cycle fits into a multiply, if one begins in this frame.
    @_noLocks
    mutating func hasRoomForCycle() -> Bool {
        guard isAtLoopStart, now > start.frame else { return true }
        return now - start.frame + voice.cycleFrames <= maximumFrames
            && tape.store.reserve(frames: voice.cycleFrames, keeping: newLayer)
    }

    /// Begins an insert after the cycle that has ended.
    @_noLocks
    mutating func insert(at point: TempoGrid.Point) {
        insertPosition = voice.previousCycleFrames
        guard isAtNormalSpeed, insertPosition + minimumFrames <= maximumFrames else { return }
        tape.store.forget(above: tape.store.current)
        newLayer = tape.store.addLayer(isDerived: true)
        tape.store.recorded = newLayer
        tape.noteReplacement(before: now, newLayer, position: insertPosition)
        release()
        isSounding = false
        start = point
        state = .inserting
    }

    /// Ends an insert; the longer loop plays from its start.
    @_noLocks
    mutating func finishInsert(at end: TempoGrid.Point) {
        let layer = tape.store.layer(newLayer)
        layer.pointee.lengthFrames = insertPosition + end.frame - start.frame
        layer.pointee.periodFrames += end.exact - start.exact
        takeOver()
        play(at: end)
    }

    // MARK: Speed

    /// Whether playback can change to the requested speed in this frame.
    var canChangeStep: Bool {
        @_noLocks get { voice.step != wantedStep && punch.frames == 0 && tape.isIdle(at: now) }
    }

    /// Changes to the requested speed and direction.
    @_noLocks
    mutating func changeStep() {
        release()
        voice.step = wantedStep
        if abs(wantedStep) > 1 { voice.position &= ~1 }
        voice.age = 0
    }

    /// Changes to the requested round trip if nothing is being recorded.
    @_noLocks
    mutating func followRoundTrip() {
        guard wantedRoundTrip != tape.roundTripFrames, state != .recording, state != .inserting,
            state != .multiplying, punch.frames == 0, !isPunching, tape.isIdle(at: now)
        else { return }
        tape.setRoundTrip(wantedRoundTrip)
    }

    /// The exact frame at which the pass that has begun ends; `nil` unless it plays at normal
    /// speed.
    var exactPassEnd: Double? {
        @_noLocks get {
            guard state == .playing || state == .overdubbing, voice.step == 2 else { return nil }
            return Double(now) + voice.cycleEnd
        }
    }

    /// Lets the pass that has begun end at an exact frame.
    @_noLocks
    mutating func endPass(at exactFrame: Double) { voice.endCycle(at: exactFrame - Double(now)) }

    // MARK: Files

    /// Stores a loop, which `play` then starts; before the first frame, and not on the audio thread.
    ///
    /// - Parameters:
    ///   - frames: The length, from `minimumFrames` to the maximum.
    ///   - periodFrames: The time from one start to the next, in frames: within 1 of the length.
    ///   - sample: Returns the sample of a frame in a channel.
    mutating func load(
        frames: Int, periodFrames: Double, _ sample: (Int, Int) -> Float
    ) {
        tape.store.current = tape.store.addLayer(isDerived: false)
        for position in -tape.fade.frameCount..<frames {
            guard let frame = tape.store.frame(tape.store.current, position) else { return }
            for channel in 0..<tape.channelCount {
                // The end leads to the start, so the seam of the file does not change.
                frame[channel * tape.store.channelStride] = sample(
                    position < 0 ? frames + position : position, channel)
            }
        }
        let layer = tape.store.layer(tape.store.current)
        layer.pointee.lengthFrames = frames
        layer.pointee.periodFrames = periodFrames
        state = .stopped
    }

    /// Begins to save the current layer, which is kept until `endSave`.
    ///
    /// - Returns: The loop to read; `nil` without a loop, or while something is recorded.
    @_noLocks
    mutating func beginSave() -> SavedLoop? {
        guard state == .playing || state == .stopped, !isPunching, punch.frames == 0,
            tape.isIdle(at: now)
        else { return nil }
        tape.store.saved = tape.store.current
        let layer = tape.store.layer(tape.store.current).pointee
        return SavedLoop(
            voice: LoopVoice(
                layer: tape.store.current, periodFrames: Double(layer.lengthFrames),
                phaseFrames: 0),
            generation: layer.generation, chain: tape.store.chain, frameCount: layer.lengthFrames)
    }

    /// Returns whether a saved layer still exists.
    @_noLocks
    package func has(_ loop: SavedLoop) -> Bool {
        let layer = loop.voice.layer
        return loop.chain == tape.store.chain && layer >= tape.store.oldest
            && layer <= tape.store.newest
            && tape.store.layer(layer).pointee.generation == loop.generation
    }

    /// Returns a sample of a saved loop, with its seam.
    @_noLocks
    package func sample(of loop: SavedLoop, at frame: Int, _ channel: Int) -> Float {
        tape.sample(loop.voice, at: frame, channel)
    }

    /// Ends a save.
    @_noLocks
    mutating func endSave() { tape.store.saved = .max }

    // MARK: Notes for a replay

    /// The number of words of `note`.
    static var noteWords: Int { 12 + LoopVoice.noteWords + LoopStore.noteWords }

    /// Writes what playback and recording depend on, except the sound.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(now)
        tape.note(to: notes)
        notes.pointee.put(state.rawValue)
        notes.pointee.put((isPunching ? 1 : 0) + (isAtLoopStart ? 2 : 0))
        voice.note(to: notes)
        notes.pointee.put(punch.frames)
        notes.pointee.put(punch.feedback, 0)
        notes.pointee.put(start.frame)
        notes.pointee.put(start.exact)
        notes.pointee.put(startCycle)
        notes.pointee.put(newLayer)
        notes.pointee.put(insertPosition)
    }

    /// Continues from a note.
    ///
    /// The sound that has just been played or recorded belongs to other frames then, and is lost.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let former = now
        now = notes.pointee.pop(from: 0, through: 1 << 50)
        tape.follow(notes, now: now, isElsewhere: now != former)
        state = LoopState(rawValue: notes.pointee.pop(from: 0, through: 6)) ?? .empty
        let flags = notes.pointee.pop(from: 0, through: 3)
        (isPunching, isAtLoopStart) = (flags & 1 != 0, flags & 2 != 0)
        voice.follow(notes, tape.store, fadeFrames: tape.fade.frameCount)
        punch.frames = notes.pointee.pop(from: 0, through: tape.fade.frameCount + 1)
        punch.feedback = notes.pointee.popNumbers(within: 1).0
        followStart(notes)
        newLayer = notes.pointee.pop(
            from: tape.store.oldest, through: max(tape.store.oldest, tape.store.newest))
        insertPosition = notes.pointee.pop(from: 0, through: maximumFrames)
        completeFollowing()
    }

    /// Reads the start of a recording, multiply or insert, which matters only during one.
    @_noLocks
    private mutating func followStart(_ notes: UnsafeMutablePointer<StateNotes>) {
        let frame = notes.pointee.pop(from: now - 2 * maximumFrames, through: now)
        let exact = notes.pointee.popNumber(within: 1e18)
        start = TempoGrid.Point(
            frame: frame,
            exact: abs(exact - Double(frame)) <= 1 ? exact : Double(frame))
        startCycle = notes.pointee.pop(from: max(0, voice.cycle - (1 << 20)), through: voice.cycle)
    }

    /// Makes layers and state fit together, whatever a note contains.
    @_noLocks
    private mutating func completeFollowing() {
        let newest = tape.store.newest
        let count = newest - tape.store.oldest + 1
        switch state {
        case .empty: break
        case .recording: if count == 0 { state = .empty } else { tape.store.current = newest }
        case .multiplying, .inserting:
            guard count > 1 else {
                state = count == 0 ? .empty : .stopped
                break
            }
            (newLayer, tape.store.recorded) = (newest, newest)
            tape.store.current = min(tape.store.current, newest - 1)
        case .playing, .overdubbing, .stopped: if count == 0 { state = .empty }
        }
        isSounding = state == .playing || state == .overdubbing || state == .multiplying
        if count > 0, state != .recording, state != .multiplying {
            tape.store.closeLayer(newest, leastFrames: 2 * tape.fade.frameCount)
        }
    }

    /// The first frame at which a noted recording or insert can end.
    var earliestNotedEnd: Int {
        @_noLocks get {
            state == .recording || state == .inserting
                ? max(now, start.frame + 2 * tape.fade.frameCount + 2) : now
        }
    }

    /// Returns the next part of the sound; `nil` after the last one.
    @_noLocks
    mutating func nextPart() -> SoundPart? { sweep.next(in: tape.store) }

    /// Replaces a part of the sound.
    mutating func restore(_ part: SoundPart) { tape.store.restore(part) }

    // MARK: Frames

    /// Plays one frame, and stores its input.
    ///
    /// - Parameters:
    ///   - inputs: A pointer per channel.
    ///   - outputs: A pointer per channel, to memory that overlaps no other.
    ///   - frame: The index of the frame in the block.
    ///   - gains: The amplitudes of the input and of the loop.
    @_noLocks
    mutating func play(
        _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frame: Int,
        _ gains: (dry: Float, loop: Float)
    ) {
        for channel in 0..<tape.channelCount {
            let input = inputs[channel][frame]
            tape.keepInput(input, channel, at: now)
            let loop = play(channel)
            outputs[channel][frame] = gains.dry * input + gains.loop * loop
        }
    }

    /// Writes the input that is due in this frame.
    ///
    /// - Parameter feedback: The share of the loop that remains under an overdub, from 0 to 1.
    @_noLocks
    mutating func write(feedback: Float) {
        note(feedback: feedback)
        tape.write(at: now)
    }

    /// Moves to the next frame.
    ///
    /// - Returns: Whether the loop starts again there.
    @_noLocks
    mutating func advance() -> Bool {
        isAtLoopStart = isSounding && voice.advance()
        if isSounding { voice.age = min(voice.age + 1, tape.fade.frameCount) }
        now += 1
        return isAtLoopStart
    }

    /// Returns the loop in a channel.
    @_noLocks
    private mutating func play(_ channel: Int) -> Float {
        let rest = tape.popLeaving(channel, at: now)
        guard isSounding else {
            tape.keepHeard(0, channel, at: now)
            return rest
        }
        let sample = tape.sample(voice, channel)
        tape.keepHeard(sample, channel, at: now)
        return rest + sample * tape.gain(voice)
    }

    /// Notes how the input that will arrive for this frame is recorded.
    @_noLocks
    private mutating func note(feedback: Float) {
        punch.feedback = feedback
        if isPunching {
            punch.frames = min(punch.frames + 1, tape.fade.frameCount + 1)
        } else if punch.frames > 0 {
            punch.frames -= 1
        }
        switch state {
        case .recording:
            tape.noteRecord(at: now, tape.store.current, position: now - start.frame)
        case .inserting:
            tape.noteRecord(at: now, newLayer, position: insertPosition + now - start.frame)
        case .multiplying: tape.noteCopy(at: now, newLayer, position: now - start.frame, punch)
        case .playing where punch.frames > 0, .overdubbing:
            tape.noteOverdub(at: now, voice, punch)
        default: tape.noteNothing(at: now)
        }
    }
}
