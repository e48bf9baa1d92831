/// A looper: commands, and the sound of one loop with any number of channels.
///
/// All work is done frame by frame, so the result does not depend on how the frames are split into
/// blocks. A command acts at the first frame of the next block.
package struct LoopCore: ~Copyable {
    private var tape: LoopTape
    private let maximumFrames: Int
    private var voice = LoopVoice()
    private var isSounding = false
    private var punch = Punch()
    private var isPunching = false
    /// The number of frames since the start.
    package private(set) var now = 0
    package private(set) var state = LoopState.empty
    /// Whether a cycle begins in this frame.
    private var isAtLoopStart = false

    /// The command that waits, and its point; without a point, it waits for the start of the loop.
    private var pending: LoopCommand?
    private var pendingPoint: TempoGrid.Point?
    /// The start of the recording, multiply or insert.
    private var start = TempoGrid.Point(frame: 0, exact: 0)
    private var startCycle = 0
    /// The layer that is recorded by a multiply or insert.
    private var newLayer = 0
    private var insertPosition = 0

    /// The points at which commands act.
    package var points: LoopPoints
    /// The amplitudes.
    package var levels: LoopLevels
    private var wantedStep = 2
    /// The point at which the step changes; without one, it waits for the start of the loop.
    private var stepPoint: TempoGrid.Point?
    private var wantedRoundTrip = 0
    /// The frame in which the loop is cleared, because a pedal is held; `Int.max` if none is.
    package var clearFrame = Int.max

    /// Creates an empty looper.
    package init(_ sizes: LoopSizes, _ store: consuming LoopStore, quantize: LoopQuantize) {
        tape = LoopTape(sizes, store)
        maximumFrames = sizes.maximumFrames
        points = LoopPoints(quantize)
        levels = LoopLevels(sampleRate: sizes.sampleRate)
    }

    // MARK: Values

    /// Changes speed and direction, at the next point of `quantize` and not before all overdubs are
    /// written.
    ///
    /// - Parameter halfFrames: 1, 2 or 4 half frames per frame, negative for reverse.
    @_noLocks
    package mutating func setStep(_ halfFrames: Int) {
        guard halfFrames != wantedStep else { return }
        wantedStep = halfFrames
        stepPoint = points.quantize == .loop ? nil : points.first(from: now)
    }

    /// The time in frames from playback to the arrival of the input that was played with it.
    ///
    /// A change takes effect when nothing is being recorded.
    @_noLocks
    package mutating func setRoundTrip(_ frames: Int) { wantedRoundTrip = frames }

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
    /// Whether a command waits for its point.
    package var isWaiting: Bool { @_noLocks get { pending != nil } }
    /// The frames of the shortest loop.
    package var minimumFrames: Int { @_noLocks get { 2 * (tape.lagFrames + tape.fade.frameCount) } }

    private var layerLength: Int {
        @_noLocks get { tape.store.layer(tape.store.current).pointee.lengthFrames }
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
        switch (state, command) {
        case (.empty, .record), (.empty, .overdub): startDue
        case (.recording, .record), (.recording, .overdub), (.recording, .play),
            (.recording, .stop):
            .at(recordingEnd)
        case (.playing, .overdub), (.overdubbing, .overdub), (.overdubbing, .play):
            .at(LoopPoints.exact(now))
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
            if points.quantize == .loop, isSounding { return .loopStart }
            return .at(points.first(from: now))
        }
    }

    /// The end of a recording that is requested now.
    private var recordingEnd: TempoGrid.Point {
        @_noLocks get {
            let earliest = start.frame + minimumFrames
            return points.isFree
                ? LoopPoints.exact(max(now - tape.roundTripFrames, earliest))
                : points.first(from: max(now, earliest))
        }
    }

    private var insertEnd: TempoGrid.Point {
        @_noLocks get {
            points.insertEnd(
                from: start, earliest: max(now, start.frame + minimumFrames),
                periodFrames: tape.store.layer(tape.store.current).pointee.periodFrames)
        }
    }

    // MARK: Commands

    /// Carries out a command at the next frame, or lets it wait for its point.
    ///
    /// A command replaces one that still waits.
    @_noLocks
    package mutating func request(_ command: LoopCommand) {
        pending = nil
        switch command {
        case .undo: undo()
        case .redo: redo()
        case .clear: clear()
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
            guard point.frame <= now else { return }
            pending = nil
            perform(command, at: point)
        } else if isAtLoopStart, isSounding {
            pending = nil
            perform(
                command,
                at: TempoGrid.Point(frame: now, exact: Double(now) + voice.cyclePhase))
        }
    }

    @_noLocks
    private mutating func perform(_ command: LoopCommand, at point: TempoGrid.Point) {
        switch state {
        case .empty: return record(at: point)
        case .recording: finishRecording(at: point)
        case .multiplying: finishMultiply()
        case .inserting: finishInsert(at: point)
        case .playing, .overdubbing:
            switch command {
            case .record: return record(at: point)
            case .overdub where state == .overdubbing, .play: return endOverdub()
            case .multiply: return multiply(at: point)
            case .insert: return insert(at: point)
            default: break
            }
        case .stopped:
            if command == .record { return record(at: point) }
            play(at: point)
        }
        if command == .overdub { overdub() }
        if command == .stop { stop() }
    }

    // MARK: Recording

    @_noLocks
    private mutating func record(at point: TempoGrid.Point) {
        clear()
        tape.setRoundTrip(wantedRoundTrip)
        tape.store.current = tape.store.addLayer(isDerived: false)
        start = points.isFree ? LoopPoints.exact(now - tape.roundTripFrames) : point
        tape.noteRecording(before: now, from: start.frame, tape.store.current)
        state = .recording
    }

    @_noLocks
    private mutating func finishRecording(at end: TempoGrid.Point) {
        let layer = tape.store.layer(tape.store.current)
        layer.pointee.lengthFrames = end.frame - start.frame
        layer.pointee.periodFrames = end.exact - start.exact
        play(at: end)
    }

    /// Ends a recording that has reached the maximum, at the last beat or bar if there was one.
    @_noLocks
    private mutating func endAtMaximum() {
        pending = nil
        if let point = points.last(upTo: now), point.frame >= start.frame + minimumFrames {
            finishRecording(at: point)
        } else {
            finishRecording(at: LoopPoints.exact(now))
        }
    }

    /// Plays the current layer from its start, which was at a point.
    @_noLocks
    private mutating func play(at point: TempoGrid.Point) {
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

    @_noLocks
    private mutating func stop() {
        release()
        isSounding = false
        state = .stopped
    }

    @_noLocks
    private mutating func clear() {
        punch = Punch()
        release()
        isSounding = false
        tape.store.clear()
        state = .empty
    }

    /// Lets playback and the overdub fade out; the caller starts the next activity.
    @_noLocks
    private mutating func release() {
        if isSounding { tape.release(voice, at: now, punch) }
        punch.frames = 0
        isPunching = false
    }

    /// Forgets the loop and all sound at once; the values remain.
    @_noLocks
    package mutating func reset() {
        isSounding = false
        clear()
        (pending, clearFrame, isAtLoopStart) = (nil, .max, false)
        tape.forgetSound()
        levels.snap()
    }

    // MARK: Overdubs

    @_noLocks
    private mutating func overdub() {
        state = .overdubbing
        isPunching = true
        // The last overdub still fades out: this one continues it.
        guard punch.frames == 0 else { return }
        tape.store.forget(above: tape.store.current)
        tape.store.current = tape.store.addLayer(isDerived: true)
        voice.layer = tape.store.current
    }

    @_noLocks
    private mutating func endOverdub() {
        isPunching = false
        state = .playing
    }

    @_noLocks
    private mutating func undo() {
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

    @_noLocks
    private mutating func redo() {
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
        guard isSounding else { return }
        voice.move(
            to: layer, periodFrames: tape.store.layer(layer).pointee.periodFrames)
        voice.age = 0
        state = .playing
    }

    // MARK: Multiply and insert

    private var isAtNormalSpeed: Bool { @_noLocks get { voice.step == 2 && wantedStep == 2 } }

    @_noLocks
    private mutating func multiply(at point: TempoGrid.Point) {
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

    @_noLocks
    private mutating func finishMultiply() {
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
    }

    /// Ends a multiply if another cycle does not fit.
    @_noLocks
    private mutating func limitMultiply() {
        let frames = now - start.frame + voice.cycleFrames
        if frames > maximumFrames
            || !tape.store.reserve(frames: voice.cycleFrames, keeping: newLayer)
        {
            pending = nil
            finishMultiply()
        }
    }

    @_noLocks
    private mutating func insert(at point: TempoGrid.Point) {
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

    @_noLocks
    private mutating func finishInsert(at end: TempoGrid.Point) {
        let layer = tape.store.layer(newLayer)
        layer.pointee.lengthFrames = insertPosition + end.frame - start.frame
        layer.pointee.periodFrames += end.exact - start.exact
        takeOver()
        play(at: end)
    }

    // MARK: Files

    /// Stores a loop, which `play` then starts; before the first frame, and not on the audio thread.
    ///
    /// - Parameters:
    ///   - frames: The length, from `minimumFrames` to the maximum.
    ///   - periodFrames: The time from one start to the next, in frames: within 1 of the length.
    ///   - sample: Returns the sample of a frame in a channel.
    package mutating func load(
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
    package mutating func beginSave() -> SavedLoop? {
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
    package mutating func endSave() { tape.store.saved = .max }

    // MARK: Frames

    /// Renders frames.
    ///
    /// - Parameters:
    ///   - inputs: A pointer per channel.
    ///   - outputs: A pointer per channel, to memory that overlaps no other.
    ///   - count: The number of frames.
    @_noLocks
    package mutating func run(
        _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames count: Int
    ) {
        for frame in 0..<count {
            begin()
            let gains = levels.nextGains()
            for channel in 0..<tape.channelCount {
                let input = inputs[channel][frame]
                tape.keepInput(input, channel, at: now)
                let loop = play(channel)
                outputs[channel][frame] = gains.dry * input + gains.loop * loop
            }
            note()
            tape.write(at: now)
            isAtLoopStart = false
            if isSounding {
                isAtLoopStart = voice.advance()
                if isAtLoopStart { alignPass(from: now + 1) }
                voice.age = min(voice.age + 1, tape.fade.frameCount)
            }
            now += 1
        }
    }

    /// Lets the pass that begins at a frame end on its beat or bar, if it would end close to it.
    @_noLocks
    private mutating func alignPass(from frame: Int) {
        guard state == .playing || state == .overdubbing, voice.step == 2 else { return }
        let layer = tape.store.layer(tape.store.current).pointee
        let end = points.correctedEnd(
            of: Double(frame) + voice.cycleEnd, periodFrames: layer.periodFrames,
            longestFrames: 0.5 * Double(tape.fade.frameCount))
        if let end { voice.endCycle(at: end - Double(frame)) }
    }

    /// Carries out the commands and fades that are due in this frame.
    @_noLocks
    private mutating func begin() {
        if now >= clearFrame {
            clearFrame = .max
            request(.clear)
        }
        performDue()
        switch state {
        case .recording where now - start.frame >= maximumFrames: endAtMaximum()
        case .inserting where insertPosition + now - start.frame >= maximumFrames:
            pending = nil
            finishInsert(at: LoopPoints.exact(now))
        case .multiplying where isAtLoopStart && now > start.frame: limitMultiply()
        case .playing: changeStep()
        default: break
        }
        if wantedRoundTrip != tape.roundTripFrames, state != .recording, state != .inserting,
            state != .multiplying, punch.frames == 0, !isPunching, tape.isIdle(at: now)
        {
            tape.setRoundTrip(wantedRoundTrip)
        }
    }

    @_noLocks
    private mutating func changeStep() {
        guard voice.step != wantedStep, punch.frames == 0, tape.isIdle(at: now) else { return }
        if let stepPoint {
            guard stepPoint.frame <= now else { return }
        } else {
            guard isAtLoopStart else { return }
        }
        release()
        voice.step = wantedStep
        if abs(wantedStep) > 1 { voice.position &= ~1 }
        voice.age = 0
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
    private mutating func note() {
        punch.feedback = levels.nextFeedback()
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
