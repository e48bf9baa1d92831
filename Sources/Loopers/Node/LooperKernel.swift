internal import CRealtime
internal import Processing
internal import Realtime

/// A looper as a node: parameters, the transport and reports.
struct LooperKernel: Kernel, ~Copyable {
    /// The reports in the order of the description.
    let reports: Buffer<Float>
    private var core: LoopCore
    private var pedal: PedalCycle
    private let sampleRate: Double
    /// Whether the round trip comes from the engine.
    private let followsRoundTrip: Bool
    private var isReversed: Bool
    private var speed: Float
    /// The revision of the transport that the grid was made from.
    private var revision: UInt32 = 0
    /// The frame at which the transport was read, and its beat.
    private var transportPoint = (frame: 0, beats: 0.0)
    /// How far the beat was ahead of that of the transport when it was noted: in a replay without the
    /// beginning, the engine counts beats from another frame.
    private var beatOffset = 0.0
    /// The way to the file; `nil` if there is no file.
    private let exchange: UnsafeMutablePointer<SaveExchange>?
    private var isSaveDue = false
    private var saved: SavedLoop?
    private var savedFrames = 0
    /// The notes of positions, layers and pending commands.
    private let notes: Buffer<StateNotes>

    static var reportCount: Int { 7 }

    init(
        _ core: consuming LoopCore, _ settings: LooperSettings, _ request: ProcessorRequest,
        exchange: UnsafeMutablePointer<SaveExchange>?
    ) {
        self.core = core
        self.exchange = exchange
        sampleRate = request.format.sampleRate
        followsRoundTrip = settings.roundTripSeconds == nil
        pedal = PedalCycle(
            sampleRate: request.format.sampleRate, isPressed: request[Parameter.pedal] >= 0.5)
        isReversed = request[Parameter.reverse] >= 0.5
        speed = request[Parameter.speed]
        reports = Buffer(count: Self.reportCount, repeating: 0)
        notes = Buffer(
            containing: StateNotes(capacity: LoopCore.noteWords + PedalCycle.noteWords))
        if let seconds = settings.roundTripSeconds {
            self.core.setRoundTrip(Int((seconds * sampleRate).rounded()))
        }
        for parameter in [Parameter.mute, .feedback, .level, .dry] {
            set(parameter.rawValue, to: request[parameter])
        }
        setStep()
        self.core.levels.snap()
        report()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        if let context = block.context { follow(context.pointee) }
        let frames = Int(block.frameCount)
        var first = 0
        while first < frames {
            let count = notes[0].limit(frames - first)
            core.run(block.inputs, block.outputs, from: first, frames: count)
            first += count
            notes[0].advance(count)
            if notes[0].isDue { continueFromNote() }
        }
        if notes[0].isWanted { noteState() }
        if let exchange { save(exchange, frames: frames) }
        report()
    }

    // MARK: Notes for a replay

    var stateNotes: UnsafeMutablePointer<StateNotes>? { notes.start }
    var notesSound: Bool { true }

    /// Notes the state.
    @_noLocks
    private func noteState() {
        notes[0].begin()
        core.note(to: notes.start)
        pedal.note(to: notes.start)
        notes[0].end()
    }

    /// Continues from a note of a replay.
    @_noLocks
    private mutating func continueFromNote() {
        let former = core.track.now
        notes[0].beginReading()
        core.follow(notes.start)
        pedal.follow(notes.start)
        notes[0].endReading()
        followBeat(movedFrames: core.track.now - former)
    }

    /// Determines the offset of the noted beat, after frames have received other numbers.
    @_noLocks
    private mutating func followBeat(movedFrames: Int) {
        let frame = transportPoint.frame + movedFrames
        let deviation =
            core.points.grid.deviation(from: transportPoint.beats, atFrame: frame) ?? 0
        let beats = core.points.grid.beats(atFrame: frame) ?? transportPoint.beats
        beatOffset =
            deviation > Self.mostDeviation * sampleRate ? beats - transportPoint.beats : 0
    }

    @_noLocks
    mutating func nextSoundPart() -> SoundPart? { core.nextPart() }

    mutating func restoreSound(_ part: SoundPart) { core.restore(part) }

    // MARK: Values

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        let isOn = value >= 0.5
        switch Parameter(rawValue: parameter) {
        case .record: if isOn { core.request(.record) }
        case .overdub: if isOn { core.request(.overdub) }
        case .play: if isOn { core.request(.play) }
        case .stop: if isOn { core.request(.stop) }
        case .multiply: if isOn { core.request(.multiply) }
        case .insert: if isOn { core.request(.insert) }
        case .undo: if isOn { core.request(.undo) }
        case .redo: if isOn { core.request(.redo) }
        case .clear: if isOn { core.request(.clear) }
        case .pedal: pedal.set(isOn, &core)
        case .mute: core.levels.setMuted(isOn)
        case .reverse:
            isReversed = isOn
            setStep()
        case .speed:
            speed = value
            setStep()
        case .feedback: core.levels.setFeedback(min(max(value, 0), 1))
        case .level: core.levels.setLoop(amplitude(value))
        case .dry: core.levels.setDry(amplitude(value))
        case .save: if isOn { isSaveDue = true }
        case nil:
            if parameter == RTTargetRoundTrip.rawValue, followsRoundTrip {
                core.setRoundTrip(Int(min(max(value, 0), 1e6)))
            }
        }
    }

    @_noLocks
    mutating func reset() {
        core.reset()
        core.points.hasMovedGrid = false
        (revision, beatOffset) = (0, 0)
        isSaveDue = false
        report()
    }

    @_noLocks
    private func amplitude(_ decibels: Float) -> Float {
        Float(Decibels(Double(min(max(decibels, -120), 24))).amplitude)
    }

    @_noLocks
    private mutating func setStep() {
        let halfFrames = speed < 0.5 ? 1 : speed < 1.5 ? 2 : 4
        core.setStep(isReversed ? -halfFrames : halfFrames)
    }

    /// The difference from the transport's beat beyond which the grid moves, in seconds; the ticks
    /// of other programs are coarse.
    private static var mostDeviation: Double { @_noLocks get { 0.001 } }

    /// Moves the grid to the transport, if anything but the passing of time has changed it.
    ///
    /// Another program's clock moves the beat in steps that change no revision.
    @_noLocks
    private mutating func follow(_ context: RTContext) {
        let transport = context.transport.pointee
        let frame = core.track.now - Int(context.messages.startFrame)
        let ownBeats = Double(transport.bar) * transport.beatsPerBar + transport.barBeat
        transportPoint = (frame, ownBeats)
        let beats = ownBeats + beatOffset
        let hasMoved =
            transport.isRolling
            && core.points.grid.deviation(from: beats, atFrame: frame) ?? 0
                > Self.mostDeviation * sampleRate
        guard transport.revision != revision || hasMoved else { return }
        revision = transport.revision
        if core.points.grid.isOn { core.points.hasMovedGrid = true }
        guard transport.isRolling, transport.beatsPerMinute > 0 else {
            core.points.grid = TempoGrid()
            return
        }
        core.points.grid = TempoGrid(
            frame: frame, beats: beats,
            framesPerBeat: sampleRate * 60 / transport.beatsPerMinute,
            beatsPerBar: transport.beatsPerBar)
    }

    /// Passes a part of the loop to the file: at most a few times as much as is rendered.
    @_noLocks
    private mutating func save(_ exchange: UnsafeMutablePointer<SaveExchange>, frames: Int) {
        if saved == nil {
            guard isSaveDue, exchange.pointee.phase == .none else { return }
            saved = core.beginSave()
            guard saved != nil else { return }
            isSaveDue = false
            savedFrames = 0
            exchange.pointee.begin()
        }
        guard let loop = saved else { return }
        guard core.track.has(loop) else {
            saved = nil
            core.endSave()
            return exchange.pointee.end(isComplete: false)
        }
        let count = min(loop.frameCount - savedFrames, min(4 * frames, exchange.pointee.freeFrames))
        for frame in 0..<count {
            for channel in 0..<exchange.pointee.channelCount {
                exchange.pointee.put(
                    core.track.sample(of: loop, at: savedFrames + frame, channel), channel,
                    after: frame)
            }
        }
        exchange.pointee.add(count)
        savedFrames += count
        guard savedFrames == loop.frameCount else { return }
        saved = nil
        core.endSave()
        exchange.pointee.end(isComplete: true)
    }

    @_noLocks
    private func report() {
        reports[0] = Float(core.track.state.rawValue)
        reports[1] = core.isWaiting ? 1 : 0
        reports[2] = Float(Double(core.track.positionFrames) / sampleRate)
        reports[3] = Float(Double(core.track.lengthFrames) / sampleRate)
        reports[4] = Float(core.track.cycle)
        reports[5] = Float(core.track.undoCount)
        reports[6] = Float(core.track.redoCount)
    }
}
