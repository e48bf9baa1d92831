internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// The complete state of the audio thread.
struct EngineCore: ~Copyable {
    /// The maximum number of changes per piece: the capacity of the command ring.
    static var eventCapacity: Int { @_noLocks get { 4096 } }
    /// The maximum number of frames per piece, whatever size the schedules were prepared for.
    private static var largestPiece: Int { @_noLocks get { 8192 } }
    /// The time between two reports of the current values of fades.
    private static var fadeReportSeconds: Float { @_noLocks get { 0.1 } }

    /// Whether the watchdog stops plugins that take too long.
    let isWatching = Atomic<Bool>(false)
    let commands: RingConsumer<Command>
    let reports: RingProducer<Report>
    /// Carries the schedules that no longer run back to the control side, which frees them.
    let finished: RingProducer<UInt>
    let outputStage: OutputStage
    let events: EventList
    let messages: MessagePieces
    var fades: FadeTable
    var clock: TransportClock
    var schedules: RunningSchedules
    /// The handle of a replaced schedule that waits for room in the `finished` ring; 0 if no
    /// schedule waits.
    var unfreedHandle: UInt = 0
    /// The number of frames rendered since the start.
    var frame: UInt64 = 0
    var meters: Meters
    /// Distinguishes overruns of the machine from those of plugins.
    private var machine = MachineWatch()
    /// Whether a plugin took longer than the period in this call.
    private var hasPluginOverrun = false
    var bindings = RTBindings()
    var follows = FollowTimer()
    var sender: MessageSender
    private var merge: MessageMerge
    var clockFollower = ClockFollower()
    private var clockSender = ClockSender()
    /// The tempo of the MIDI clock that was reported last; 0 without a clock.
    private var reportedClockTempo = 0.0
    var inputMonitor: InputMonitor
    /// The nodes whose output the control side reads; -1 for none.
    var taps = SIMD4<Int32>(repeating: -1)
    let tapBuffers: TapBuffers
    /// The workers that run nodes together with the callback.
    let workers: Workers
    /// Captures what the output depends on.
    var captured: CoreCapture
    var hasReportedSplice = true
    /// Whether the values of the current schedule for the beginning of its crossfade are not applied
    /// yet.
    var awaitsCrossfade = false
    /// The scene whose gain waits for the crossfade of the current schedule; -1 for none.
    var levelScene: Int32 = -1
    /// The tempo that was last sent to the nodes that follow it; 0 if new nodes may not have
    /// received it yet.
    var sentTempo = 0.0
    /// The frames from playback until the sound that was played with it arrives at the inputs.
    var roundTripFrames: Int32 = 0
    /// The semaphore that wakes the control side; `nil` if the control side polls.
    private let bell: UnsafeMutableRawPointer?
    /// Whether nodes are halted if cycles are late.
    let haltsNodes = Atomic<Bool>(false)
    var lateCycles = LateCycles()
    /// Whether the control side may not know all halted nodes.
    var hasUnreportedHalts = false
    /// Whether to wake the control side after this call.
    private var wakesControlSide = false

    init(
        commands: RingConsumer<Command>, reports: RingProducer<Report>,
        finished: RingProducer<UInt>, schedule: PlayingSchedule, inputMonitor: Processor?,
        bell: UnsafeMutableRawPointer?, workers: Workers,
        capture: CaptureWriter?, soundRoundFrames: Int, arena: Arena
    ) {
        self.workers = workers
        captured = CoreCapture(capture, soundRoundFrames: soundRoundFrames, arena: arena)
        let core = schedule.core.pointee
        self.commands = commands
        self.reports = reports
        self.finished = finished
        outputStage = OutputStage(core.rate, maximumFrames: Self.largestPiece, arena: arena)
        events = EventList(
            capacity: Self.eventCapacity, reserve: FadeTable.changeCapacity + FadeTable.capacity,
            arena: arena)
        fades = FadeTable(arena: arena)
        messages = MessagePieces(arena: arena)
        clock = TransportClock(
            beatsPerMinute: core.beatsPerMinute, sampleRate: core.rate.sampleRate, arena: arena)
        schedules = RunningSchedules(schedule, arena: arena)
        meters = Meters(core.rate.meters, arena: arena)
        self.inputMonitor = InputMonitor(
            inputMonitor, maximumFrames: Self.largestPiece, arena: arena)
        tapBuffers = TapBuffers(arena: arena)
        self.bell = bell
        sender = MessageSender(arena: arena)
        merge = MessageMerge(arena: arena)
        bindings.follow(core.bindings, core.values)
        follows.begin(core)
        clockFollower.reset(sampleRate: Double(core.rate.sampleRate))
    }

    /// Starts silent, before a fade-in, with the inputs ramping up so that echoes do not repeat an
    /// edge.
    mutating func startSilent() {
        outputStage.startSilent()
        schedules.rampInputsUp()
        sender.beginWait()
    }

    /// Sends the messages of the first song and of a scene, before the first frame.
    mutating func startSong(scene: Int) {
        sender.startSong(playing.messages, scene: scene, dueFrame: 0)
    }

    /// Sets mute and master gain, in dB, before the first frame.
    func start(isMuted: Bool, gainDecibels: Float) {
        bindings.note(.gain, gainDecibels)
        bindings.note(.mute, isMuted ? 1 : 0)
        outputStage.start(
            isMuted: isMuted, masterGain: Float(Decibels(Double(gainDecibels)).amplitude))
    }

    /// Renders any number of frames, in pieces no larger than the schedules were prepared for.
    @_noLocks
    mutating func render(
        _ frames: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ engineCall: UnsafePointer<RTEngineCall>?
    ) {
        let start = rt_ticks()
        let isRealTime = engineCall.map { !$0.pointee.isFreewheeling } ?? false
        messages.begin()
        sender.beginCall()
        if isRealTime {
            machine.begin(at: start, frames: frames, ticksPerFrame: meters.ticksPerFrame)
        }
        workers.expectCall(after: start, frames: frames, isRealTime: isRealTime, meters)
        if !isRealTime { lateCycles.reset() }
        hasPluginOverrun = false
        if captured.isOn { captureCall(frames, inputs, engineCall) }
        var done = 0
        while done < frames {
            let piece = renderPiece(
                atMost: frames - done, of: frames, offset: done, inputs, outputs, engineCall)
            clock.advance(piece)
            if captured.isOn {
                captured.hasPieces = piece < frames
                if captured.hasPieces { capturePiece(isFirst: done == 0) }
            }
            done += piece
        }
        if let learned = bindings.popLearned() { send(.learned(learned)) }
        let ticks = rt_ticks() &- start
        let isOverrun = meters.addCycle(ticks, frames: frames, isRealTime: isRealTime)
        if captured.isOn { captureEnd(ticks, frames, outputs, isLate: isOverrun) }
        machine.end(
            frames: frames, isOverrun: isOverrun, hasPluginOverrun: hasPluginOverrun,
            sampleRate: Double(playing.rate.sampleRate))
        noteLateness(ticks, frames, isLate: isOverrun)
        if meters.reportWhenDue(schedules.playing, outputStage, reports, workers: workers.count) {
            inputMonitor.report(reports)
        }
        if wakesControlSide, let bell { rt_ring(bell) }
        wakesControlSide = false
    }

    @_noLocks
    private mutating func renderPiece(
        atMost most: Int, of call: Int, offset: Int,
        _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ engineCall: UnsafePointer<RTEngineCall>?
    ) -> Int {
        events.clear()
        applyExchanges()
        if lateCycles.isDue { haltDueNodes() }
        let frames = min(most, min(schedules.maximumFrames, Self.largestPiece))
        messages.distribute(
            engineCall, offset: offset, end: offset + frames, isLast: offset + frames == call)
        followClock(frames)
        clock.begin(engineCall, offset: offset)
        applyCommands(frames)
        applyBoundChanges(frames)
        applyFollows(before: Int32(clamping: frames))
        applyCrossfadeValues(whenDueIn: frames)
        advanceFades(to: frames)
        sendTempo()
        sender.run(from: frame, frames: frames, into: &merge)
        if sender.hasStarted, !sender.isWaiting {
            clockSender.run(
                clock.now.pointee, frames: frames, sampleRate: Double(playing.rate.sampleRate),
                playing.clockOutputs, playing.clockOutputCount, into: &merge)
        }
        merge.intercept(messages.sinks)
        run(frames, offset, inputs)
        merge.deliver(messages.sinks)
        if inputMonitor.isListening { inputMonitor.run(inputs[inputMonitor.slot] + offset, frames) }
        for slot in 0..<playing.inputSlotCount {
            meters.addInput(slot, inputs[slot] + offset, frames)
        }
        deliver(frames, offset, outputs)
        frame &+= UInt64(frames)
        follows.noticeEnd(at: frame, of: playing)
        if playing.feedbackSlot >= 0 {
            bindings.sendFeedback(to: messages.sinks[playing.feedbackSlot], frames: frames)
        }
        retire()
        reportTransition()
        if hasUnreportedHalts { reportHalts() }
        fades.report(
            frames, every: Int(playing.rate.frames(seconds: Self.fadeReportSeconds)), to: reports)
        return frames
    }

    /// Reads the MIDI clock of a piece, and steers the tempo and the beat.
    @_noLocks
    private mutating func followClock(_ frames: Int) {
        let slot = playing.clockInput
        if slot >= 0, slot < messages.inputCount, let first = messages.messages[slot].first {
            let input = messages.messages[slot]
            for index in 0..<Int(input.count) {
                let offset = max(0, min(first[index].frame &- input.startFrame, Int32(frames) - 1))
                clockFollower.receive(first[index], atFrame: frame &+ UInt64(offset))
            }
        }
        if slot >= 0, clockFollower.isPresent(atFrame: frame) {
            clock.steer(
                beatsPerMinute: clockFollower.beatsPerMinute,
                beats: clockFollower.beats(atFrame: frame), isRolling: clockFollower.isRolling)
        } else {
            clock.endSteering()
        }
        let tempo = clock.isSteered ? clockFollower.beatsPerMinute : 0
        guard tempo != reportedClockTempo else { return }
        let report = Report.clock(beatsPerMinute: clock.ownTempo, isPresent: clock.isSteered)
        if reports.push(report) {
            reportedClockTempo = tempo
            wakesControlSide = true
        }
    }

    /// Runs the current schedule and those that ring out.
    @_noLocks
    private mutating func run(
        _ frames: Int, _ offset: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>
    ) {
        var cycle = RTCycle(
            frameCount: Int32(frames), events: events.events, messages: messages.messages,
            sinks: messages.sinks, transport: clock.now, runner: 0)
        playing.deadlines.pointee = CycleDeadlines(
            isOn: isWatching.load(ordering: .relaxed), machineOverruns: machine.overruns)
        playing.stepMeter.pointee.begin(measuresLevels: meters.measuresNodes, taps: taps)
        events.deliver(to: schedules.playing)
        let running = workers.forCycle(frames, meters)
        run(schedules.playing, &cycle, inputs, offset, running)
        takeTaps(frames)
        events.forget(in: schedules.playing)
        // Schedules that ring out receive no MIDI and send none.
        cycle.messages = nil
        cycle.sinks = nil
        guard schedules.count > 1 else { return }
        let start = rt_ticks()
        for index in 1..<schedules.count {
            schedules[index].pointee.schedule.core.pointee.stepMeter.pointee.isOn = false
            run(schedules[index].pointee.schedule, &cycle, inputs, offset, running)
            schedules[index].pointee.ringOut(frames)
        }
        meters.ringingTicks &+= rt_ticks() &- start
    }

    /// Runs one schedule, on several cores if there are running workers.
    @_noLocks
    private mutating func run(
        _ schedule: PlayingSchedule, _ cycle: inout RTCycle,
        _ inputs: UnsafePointer<UnsafePointer<Float>>, _ offset: Int, _ running: RunningWorkers?
    ) {
        let (runners, most) = (schedule.core.pointee.runners, schedule.core.pointee.runnerCount)
        let runnerCount = running == nil ? 1 : min(workers.count + 1, most)
        for runner in 0..<runnerCount { runners[runner].begin() }
        schedule.run(&cycle, inputs, offset, workers: running)
        for runner in 0..<runnerCount where runners[runner].hasPluginOverrun {
            hasPluginOverrun = true
        }
        if running != nil { meters.addCores(runners, runnerCount) }
    }

    /// Keeps the outputs of the tapped nodes for the control side.
    @_noLocks
    private func takeTaps(_ frames: Int) {
        let meter = playing.stepMeter.pointee
        for slot in 0..<TapBuffers.count where taps[slot] >= 0 {
            tapBuffers.write(slot, meter.tapped + slot * meter.tapFrames, frames)
        }
    }

    /// Writes the output buffers: mixes the running schedules, then applies levels, limiters and
    /// meters.
    @_noLocks
    private mutating func deliver(
        _ frames: Int, _ offset: Int, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
        let slots = playing.outputSlotCount
        for slot in 0..<slots { outputStage.channels[slot] = outputs[slot] + offset }
        if schedules.isAlone, playing.outputCount == slots {
            schedules.playing.copyOutputs(into: outputStage.channels, frames)
        } else {
            for slot in 0..<slots { rt_clear(outputStage.channels[slot], Int64(frames)) }
            for index in 0..<schedules.count { add(schedules[index], slots, frames) }
        }
        outputStage.finish(schedules.playing, frames)
        for slot in 0..<slots { meters.addOutput(slot, outputStage.channels[slot], frames) }
        if outputStage.popFade() { send(.faded) }
        if outputStage.popSilence() { send(.silenced) }
    }

    @_noLocks
    private func add(_ running: UnsafeMutablePointer<RunningSchedule>, _ slots: Int, _ frames: Int)
    {
        let output = running.pointee.output
        if output.isResting, output.value == 0 || output.value == 1 {
            guard output.value > 0 else { return }
            return running.pointee.schedule.addOutputs(
                to: outputStage.channels, slots, gains: nil, frames)
        }
        for frame in 0..<frames { outputStage.gains[frame] = running.pointee.output.next() }
        running.pointee.schedule.addOutputs(
            to: outputStage.channels, slots, gains: outputStage.gains, frames)
    }

    /// Adds the changes of all fades before a frame of this piece.
    @_noLocks
    mutating func advanceFades(to offset: Int) {
        fades.advance(
            to: frame &+ UInt64(offset), pieceStart: frame,
            maximumFrames: min(schedules.maximumFrames, Self.largestPiece), events)
    }

    /// The current schedule; it may still be ramping up.
    var playing: ScheduleCore { @_noLocks get { schedules.playing.core.pointee } }

    /// Sends schedules that are no longer audible back to be freed; they wait if the ring is full.
    @_noLocks
    mutating func retire() {
        if unfreedHandle != 0 {
            guard finished.push(unfreedHandle) else { return }
            unfreedHandle = 0
        }
        while unfreedHandle == 0, let ended = schedules.popEnded() {
            if !finished.push(ended.handle) { unfreedHandle = ended.handle }
        }
    }

    /// Reports when the fades of a splice have ended, and when the tails in it are over.
    @_noLocks
    private mutating func reportTransition() {
        let transition = playing.transition
        if !hasReportedSplice, transition.pointee.isFaded || transition.pointee.isOver {
            hasReportedSplice = reports.push(.spliced)
            // Another song may wait for it.
            if hasReportedSplice { wakesControlSide = true }
        }
        if transition.pointee.needsReport, reports.push(.settled) {
            transition.pointee.needsReport = false
        }
    }

    /// Wakes the control side after this call.
    @_noLocks
    mutating func wakeControlSide() { wakesControlSide = true }

    /// Sends a report that the control side waits for, and wakes it after this call.
    @_noLocks
    mutating func send(_ report: Report) {
        _ = reports.push(report)
        wakesControlSide = true
    }

    /// Sends the tempo and the round trip to the nodes that follow them, if they have changed.
    @_noLocks
    private mutating func sendTempo() {
        let tempo = clock.now.pointee.beatsPerMinute
        guard tempo != sentTempo else { return }
        sentTempo = tempo
        for index in 0..<playing.nodeCount
        where playing.nodes[index].pointee.context.followsTempo {
            playing.nodes[index].pointee.set(Int32(RTTargetTempo.rawValue), Float(tempo))
            playing.nodes[index].pointee.set(
                Int32(RTTargetRoundTrip.rawValue), Float(roundTripFrames))
        }
    }
}
