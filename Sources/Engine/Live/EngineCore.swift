internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// The complete state of the audio thread.
struct EngineCore: ~Copyable {
    /// The maximum number of changes per piece: the capacity of the command ring.
    static var eventCapacity: Int { @_noLocks get { 4096 } }
    /// The maximum number of frames per piece, whatever size the schedules were prepared for.
    static var largestPiece: Int { @_noLocks get { 8192 } }

    /// Whether the watchdog stops plugins that take too long.
    let isWatching = Atomic<Bool>(false)
    let commands: RingConsumer<Command>
    let reports: RingProducer<Report>
    /// Carries the schedules that are no longer active back to the control side, which frees them.
    let finished: RingProducer<UInt>
    let outlets: Outlets
    let events: EventList
    let messages: MessagePieces
    var clock: TransportClock
    var voices: Voices
    /// The handle of a replaced schedule that waits for room in the `finished` ring; 0 if no
    /// schedule waits.
    var leaving: UInt = 0
    /// The number of frames rendered since the start.
    var frame: UInt64 = 0
    var meters: Meters
    /// Distinguishes overruns of the machine from those of plugins.
    private var machine = MachineWatch()
    /// Whether a plugin took longer than the period in this call.
    private var isPluginLate = false
    var bindings = RTBindings()
    var ear: Ear
    var hasToldOfSplice = true
    /// The tempo that was last sent to the nodes that follow it; 0 if new nodes may not have
    /// received it yet.
    var toldTempo = 0.0
    /// The semaphore that wakes the control side; `nil` if the control side polls.
    private let bell: UnsafeMutableRawPointer?
    /// Whether to wake the control side after this call.
    private var isRinging = false

    init(
        commands: RingConsumer<Command>, reports: RingProducer<Report>,
        finished: RingProducer<UInt>, schedule: PlayingSchedule, ear: Processor?,
        bell: UnsafeMutableRawPointer?, arena: Arena
    ) {
        let core = schedule.core.pointee
        self.commands = commands
        self.reports = reports
        self.finished = finished
        outlets = Outlets(core.rate, maximumFrames: Self.largestPiece, arena: arena)
        events = EventList(capacity: Self.eventCapacity, arena: arena)
        messages = MessagePieces(arena: arena)
        clock = TransportClock(
            beatsPerMinute: core.beatsPerMinute, sampleRate: core.rate.sampleRate, arena: arena)
        voices = Voices(schedule, arena: arena)
        meters = Meters(core.rate.meters, arena: arena)
        self.ear = Ear(ear, maximumFrames: Self.largestPiece, arena: arena)
        self.bell = bell
        bindings.follow(core.bindings, core.values)
    }

    /// Starts silent, before a fade-in, with the inputs ramping up so that echoes do not repeat an
    /// edge.
    func startSilent() {
        outlets.startSilent()
        voices.letIn()
    }

    /// Sets mute and master gain before the first frame.
    func start(isMuted: Bool, masterGain: Float) {
        outlets.start(isMuted: isMuted, masterGain: masterGain)
    }

    /// Renders any number of frames, in pieces no larger than the schedules were prepared for.
    @_noLocks
    mutating func render(
        _ frames: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ outside: UnsafePointer<RTOutside>?
    ) {
        let start = rt_ticks()
        let isWaitedFor = outside.map { !$0.pointee.isFreewheeling } ?? false
        messages.begin()
        if isWaitedFor {
            machine.begin(at: start, frames: frames, ticksPerFrame: meters.ticksPerFrame)
        }
        isPluginLate = false
        var done = 0
        while done < frames {
            let piece = renderPiece(
                atMost: frames - done, of: frames, offset: done, inputs, outputs, outside)
            clock.advance(piece)
            done += piece
        }
        if let learned = bindings.takeLearned() { tell(.learned(learned)) }
        let isLate = meters.addCycle(
            rt_ticks() &- start, frames: frames, isWaitedFor: isWaitedFor)
        machine.end(
            frames: frames, isLate: isLate, isPluginLate: isPluginLate,
            sampleRate: Double(playing.rate.sampleRate))
        if meters.reportWhenDue(voices.playing, outlets, reports) { ear.report(reports) }
        if isRinging, let bell { rt_ring(bell) }
        isRinging = false
    }

    @_noLocks
    private mutating func renderPiece(
        atMost most: Int, of call: Int, offset: Int,
        _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ outside: UnsafePointer<RTOutside>?
    ) -> Int {
        events.clear()
        takeExchanges()
        let frames = min(most, min(voices.maximumFrames, Self.largestPiece))
        messages.deal(
            outside, offset: offset, end: offset + frames, isLast: offset + frames == call)
        clock.begin(outside, offset: offset)
        takeCommands(frames)
        takeBoundChanges(frames)
        tellTempo()
        run(frames, offset, inputs)
        if ear.isListening { ear.hear(inputs[ear.slot] + offset, frames) }
        for slot in 0..<playing.inputSlotCount {
            meters.addInput(slot, inputs[slot] + offset, frames)
        }
        deliver(frames, offset, outputs)
        frame &+= UInt64(frames)
        if playing.feedbackSlot >= 0 {
            bindings.sendFeedback(to: messages.sinks[playing.feedbackSlot], frames: frames)
        }
        retire()
        tellOfTransition()
        return frames
    }

    /// Runs the current schedule and those that ring out.
    @_noLocks
    private mutating func run(
        _ frames: Int, _ offset: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>
    ) {
        var cycle = RTCycle(
            frameCount: Int32(frames), events: events.events, messages: messages.messages,
            sinks: messages.sinks, transport: clock.now)
        playing.duty.pointee = Duty(
            isOn: isWatching.load(ordering: .relaxed), machineOverruns: machine.overruns)
        events.deliver(to: playing)
        voices.playing.run(&cycle, inputs, offset)
        if playing.duty.pointee.isPluginLate { isPluginLate = true }
        events.forget(in: playing)
        // Schedules that ring out receive no MIDI and send none.
        cycle.messages = nil
        cycle.sinks = nil
        guard voices.count > 1 else { return }
        let start = rt_ticks()
        for place in 1..<voices.count {
            voices[place].pointee.schedule.run(&cycle, inputs, offset)
            voices[place].pointee.ring(frames)
        }
        meters.ringingTicks &+= rt_ticks() &- start
    }

    /// Writes the output buffers: mixes the active schedules, then applies levels, limiters and
    /// meters.
    @_noLocks
    private mutating func deliver(
        _ frames: Int, _ offset: Int, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        let slots = playing.outputSlotCount
        for slot in 0..<slots { outlets.channels[slot] = outputs[slot] + offset }
        if voices.isAlone, playing.outputCount == slots {
            voices.playing.copyOutputs(into: outlets.channels, frames)
        } else {
            for slot in 0..<slots { rt_clear(outlets.channels[slot], Int64(frames)) }
            for place in 0..<voices.count { add(voices[place], slots, frames) }
        }
        outlets.finish(playing, frames)
        for slot in 0..<slots { meters.addOutput(slot, outlets.channels[slot], frames) }
        if outlets.tookFade() { tell(.faded) }
        if outlets.tookSilence() { tell(.silenced) }
    }

    @_noLocks
    private func add(_ voice: UnsafeMutablePointer<Voice>, _ slots: Int, _ frames: Int) {
        if voice.pointee.output.isResting {
            guard voice.pointee.output.value > 0 else { return }
            return voice.pointee.schedule.addOutputs(
                to: outlets.channels, slots, gains: nil, frames)
        }
        for frame in 0..<frames { outlets.gains[frame] = voice.pointee.output.next() }
        voice.pointee.schedule.addOutputs(
            to: outlets.channels, slots, gains: outlets.gains, frames)
    }

    /// The current schedule; it may still be ramping up.
    var playing: ScheduleCore { @_noLocks get { voices.playing.core.pointee } }

    /// Sends schedules that are no longer audible back to be freed; they wait if the ring is full.
    @_noLocks
    mutating func retire() {
        if leaving != 0 {
            guard finished.push(leaving) else { return }
            leaving = 0
        }
        while leaving == 0, let ended = voices.takeEnded() {
            if !finished.push(ended.handle) { leaving = ended.handle }
        }
    }

    /// Reports when the fades of a splice have ended, and when the tails in it are over.
    @_noLocks
    private mutating func tellOfTransition() {
        let transition = playing.transition
        if !hasToldOfSplice, transition.pointee.isFaded || transition.pointee.isOver {
            hasToldOfSplice = reports.push(.spliced)
        }
        if transition.pointee.hasNews, reports.push(.settled) { transition.pointee.hasNews = false }
    }

    /// Sends a report that the control side waits for, and wakes it after this call.
    @_noLocks
    mutating func tell(_ report: Report) {
        _ = reports.push(report)
        isRinging = true
    }

    /// Sends the tempo to the nodes that follow it, if it has changed.
    @_noLocks
    private mutating func tellTempo() {
        let tempo = clock.now.pointee.beatsPerMinute
        guard tempo != toldTempo else { return }
        toldTempo = tempo
        for place in 0..<playing.nodeCount
        where playing.nodes[place].pointee.surroundings.followsTempo {
            playing.nodes[place].pointee.set(Int32(RTTargetTempo.rawValue), Float(tempo))
        }
    }
}
