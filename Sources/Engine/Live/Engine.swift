public import CRealtime
public import Processing
internal import Realtime
internal import Synchronization

/// Runs schedules; JACK's callback and the offline host both call its one `render` function.
///
/// The object is the control side; `audio` is the audio side. The two sides share only rings, the
/// flag that `watchPlugins` sets, and the atomics of each schedule (its active-node marker and the
/// claims on nodes that are being removed). The engine must outlive the last call of
/// `audio.render`.
public final class Engine: @unchecked Sendable {
    // SAFETY: the control side touches only its ends of the rings, under a lock, and the atomic
    // flag of the core; the audio thread owns everything else in the core.

    private static let commandCapacity = EngineCore.eventCapacity

    /// The audio side.
    public let audio: EngineAudio
    private let core: Buffer<EngineCore>
    private let arena: Arena
    private let commands: Ring<Command>
    private let reports: Ring<Report>
    private let finished: Ring<UInt>
    private let inputMonitor: Processor?
    private let capture: CaptureControl?
    private let board = Buffer(containing: TaskBoard())
    private let coreCount = Buffer(containing: Atomic(1))
    /// The workers, which the host runs on threads of their own; empty for one core.
    public let workers: [EngineWorker]
    /// Admits one control thread at a time to the rings, and guards its record of the running
    /// schedules.
    private let control: Mutex<Known>

    /// The state of the control side.
    private struct Known {
        /// The schedules handed over last.
        ///
        /// The newest is the current one; until the audio thread has received it, the one before it
        /// is.
        var schedules: [WeakSchedule]
        var watches: [[StuckWatch]]
    }

    private struct WeakSchedule {
        weak var schedule: Schedule?
    }

    /// Creates an engine that runs a schedule from the first frame.
    ///
    /// - Parameters:
    ///   - schedule: The first schedule.
    ///   - fadingIn: Whether the outputs are silent until `fadeIn`.
    ///   - inputMonitor: The processor of the input monitor, with one channel; see
    ///     `Command.monitor`.
    ///   - bell: A semaphore (`sem_t`) that the audio thread posts when urgent reports are in the
    ///     ring; it must outlive the engine.
    ///   - capture: Receives everything that the output depends on.
    public init(
        playing schedule: Schedule, fadingIn: Bool = false, inputMonitor: Processor? = nil,
        bell: UnsafeMutableRawPointer? = nil, capture: EngineCapture? = nil
    ) {
        self.capture = capture.map { CaptureControl($0, fadesIn: fadingIn) }
        self.capture?.add(schedule)
        let board = board.start
        workers = (1..<max(1, min(schedule.plan.format.coreCount, RunnerState.most))).map {
            EngineWorker(board: board, runner: Int32($0))
        }
        coreCount[0].store(workers.count + 1, ordering: .relaxed)
        self.inputMonitor = inputMonitor
        arena = Arena()
        commands = Ring(capacity: Self.commandCapacity)
        reports = Ring(capacity: Self.reportCapacity)
        finished = Ring(capacity: 16)
        guard let playing = PlayingSchedule(handle: HeldSchedule.hold(schedule)) else {
            preconditionFailure("a held schedule has an address")
        }
        control = Mutex(
            Known(
                schedules: [WeakSchedule(schedule: schedule)],
                watches: Array(
                    repeating: Array(repeating: StuckWatch(), count: RunnerState.most),
                    count: Self.knownSchedules)))
        core = Buffer(
            containing: EngineCore(
                commands: commands.consumer, reports: reports.producer,
                finished: finished.producer, schedule: playing, inputMonitor: inputMonitor,
                bell: bell,
                workers: Workers(
                    board: board, count: workers.count, coreCount: coreCount.start),
                capture: self.capture?.writer,
                soundRoundFrames: self.capture?.soundRoundFrames ?? 0, arena: arena))
        if fadingIn { core[0].startSilent() }
        audio = EngineAudio(core: core.start)
    }

    /// Whether everything that the output depends on is captured for a black box.
    public var isCaptured: Bool { capture != nil }

    /// Sends a command; returns false, and drops the command, if the ring is full.
    public func send(_ command: Command) -> Bool {
        control.withLock { _ in commands.producer.push(command) }
    }

    /// The number of nodes whose output can be read at the same time.
    public static var tapCount: Int { TapBuffers.count }

    /// Reads the newest output of a node that `Command.tap` chose: the mean of its channels.
    ///
    /// - Parameters:
    ///   - slot: The slot of the command.
    ///   - frames: The memory for the frames, at most 8192; all of it is written.
    /// - Returns: Whether so many frames were available.
    public func readTap(_ slot: Int, into frames: inout [Float]) -> Bool {
        precondition(frames.count <= TapBuffers.readableFrames)
        return core[0].tapBuffers.read(slot, into: &frames)
    }

    /// Sets mute and master gain, in dB, before the first frame; call it before the first
    /// `audio.render`.
    public func begin(isMuted: Bool, gainDecibels: Double) {
        core[0].start(isMuted: isMuted, gainDecibels: Float(gainDecibels))
        capture?.changeStart { ($0.isMuted, $0.gainDecibels) = (isMuted, gainDecibels) }
    }

    /// Counts frames from a number on, as a replay must if calls before the next one are missing:
    /// fades change values at multiples of 64 frames; call it between two calls of `audio.render`.
    ///
    /// - Parameter frame: The number of the first frame.
    public func begin(atFrame frame: UInt64) { core[0].frame = frame }

    /// Sends the MIDI messages of the first song and of a scene; call it before the first
    /// `audio.render`.
    ///
    /// If the outputs fade in, the messages go out when the fade begins.
    ///
    /// - Parameter scene: The index of the scene that the song begins with; `nil` for none.
    public func startSong(scene: Int?) {
        core[0].startSong(scene: scene ?? -1)
        capture?.changeStart { ($0.startsSong, $0.scene) = (true, scene) }
    }

    /// Fades the outputs in.
    public func fadeIn(seconds: Double) -> Bool {
        send(.fadeIn(seconds: Float(seconds)))
    }

    /// Fades the outputs to silence; `Report.faded` reports the end of the fade.
    public func fadeOut(seconds: Double) -> Bool {
        send(.fadeOut(seconds: Float(seconds)))
    }

    /// Hands over a schedule; returns false, and drops the schedule, if the ring is full.
    ///
    /// Nodes that follow a change of their settings use the new settings from the next cycle on. If
    /// the ring is full, they keep the old ones.
    /// From then on the engine uses the schedule's sample rate for crossfades, fades, limiters and
    /// meters. The engine ports that the schedule uses must be among those of every later call of
    /// `audio.render`.
    public func exchange(_ schedule: Schedule, _ manner: Command.Exchange) -> Bool {
        control.withLock { known in
            capture?.add(schedule)
            let handle = HeldSchedule.hold(schedule)
            guard commands.producer.push(.exchange(handle: handle, manner)) else {
                HeldSchedule.release(handle)
                return false
            }
            schedule.commitChanges()
            known.schedules.removeAll { $0.schedule == nil || $0.schedule === schedule }
            known.schedules.append(WeakSchedule(schedule: schedule))
            known.schedules = known.schedules.suffix(Self.knownSchedules)
            return true
        }
    }

    /// Returns the oldest unread report; `nil` if the control side has read all reports.
    public func nextReport() -> Report? { control.withLock { _ in reports.consumer.pop() } }

    /// Switches the watchdog for slow plugins on or off.
    ///
    /// Switch it off while rendering is not in real time, when there are no deadlines. Callable
    /// from any thread.
    public func watchPlugins(_ isOn: Bool) {
        core[0].isWatching.store(isOn, ordering: .relaxed)
    }

    /// Allows the audio thread to halt nodes that have a cheaper variant, if cycles are late.
    ///
    /// It halts them at the start of the cycle after the second late one within a second, in their
    /// order, and sends `Report.halted`. Then exchange them for their variants. At first it is off.
    /// Callable from any thread.
    public func haltNodes(_ isOn: Bool) {
        core[0].haltsNodes.store(isOn, ordering: .relaxed)
    }

    /// Limits the number of cores that cycles use, from 1 through the number of workers plus 1.
    ///
    /// Callable from any thread. It applies from the next cycle on.
    public func useCores(_ count: Int) {
        coreCount[0].store(max(1, min(count, workers.count + 1)), ordering: .relaxed)
    }

    /// Allows the workers to run, if earlier ones have ended.
    ///
    /// Call it before `EngineWorker.run`. At most one thread may run a worker at a time.
    public func beginWorkers() { board[0].begin() }

    /// Makes the workers return; the callback then does all the work.
    ///
    /// Not for the audio thread. The caller must wait for the threads of the workers before it frees
    /// the engine.
    public func endWorkers() { board[0].end() }

    /// Returns the oldest unread incident of a node.
    public func nextIncident() -> NodeIncident? {
        control.withLock { known in
            for held in known.schedules {
                if let found = held.schedule?.nextIncident() { return found }
            }
            return nil
        }
    }

    /// Returns the node in which a runner has been for at least a second, and for how long;
    /// reports each case once.
    ///
    /// Call it several times per second.
    public func stuckNode(atNanoseconds now: UInt64) -> (node: String, seconds: Double)? {
        control.withLock { known in
            for (index, held) in known.schedules.enumerated() {
                guard let schedule = held.schedule else { continue }
                for runner in 0..<schedule.activeNodes.count {
                    let count = schedule.activeNodes[runner].count.load(ordering: .relaxed)
                    let node = schedule.activeNodes[runner].node.load(ordering: .relaxed)
                    if let stuck = known.watches[index][runner].stuckNode(node, count, at: now) {
                        return (schedule.nodeIDs[stuck.node], stuck.seconds)
                    }
                }
            }
            return nil
        }
    }

    /// Frees the schedules that the audio thread no longer uses.
    ///
    /// Call it regularly.
    public func collect() {
        while let handle = control.withLock({ _ in finished.consumer.pop() }) {
            HeldSchedule.release(handle)
        }
    }

    /// Room for the reports of two intervals of a large pipeline, and for events.
    private static let reportCapacity = 1 << 13
    /// The maximum number of running schedules (`RunningSchedules.most`), and the next schedule.
    private static let knownSchedules = 5

    deinit {
        collect()
        while let command = commands.consumer.pop() {
            if case .exchange(let handle, _) = command { HeldSchedule.release(handle) }
        }
        for index in 0..<core[0].schedules.count {
            HeldSchedule.release(core[0].schedules[index].pointee.schedule.handle)
        }
        HeldSchedule.release(core[0].unfreedHandle)
    }
}

/// The audio side of an engine: a plain value for the one thread that renders.
public struct EngineAudio: @unchecked Sendable {
    // SAFETY: only one thread renders at a time, as `render` requires, and the memory behind the
    // pointer lives as long as the engine.
    fileprivate let core: UnsafeMutablePointer<EngineCore>

    /// Renders the next frames; the only entry point of the audio thread, one call at a time.
    ///
    /// - Parameters:
    ///   - frameCount: Any number of frames from 0; the output does not depend on how the frames
    ///     are split into calls, except for plugins in the pipeline whose output does.
    ///   - inputs: One pointer per audio input slot of the engine ports.
    ///   - outputs: One pointer per audio output slot of the engine ports; no buffer overlaps
    ///     another or an input.
    ///   - engineCall: MIDI and transport of these frames; `nil` if there is no external MIDI and
    ///     no external transport.
    @_noLocks
    public func render(
        frameCount: Int, inputs: UnsafePointer<UnsafePointer<Float>>,
        outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        engineCall: UnsafePointer<RTEngineCall>? = nil
    ) {
        // The thread may belong to JACK or another library: set its denormal flags on each call.
        // The caller restores them.
        rt_flush_denormals()
        core.pointee.render(frameCount, inputs, outputs, engineCall)
    }

    /// States whether this program provides the beats of the external transport, as its timebase
    /// master; only on the audio thread, between two calls of `render`.
    @_noLocks
    public func lead(_ isOn: Bool) { core.pointee.clock.lead(isOn) }

    /// Returns the beats of the external transport at the start of the next call of `render`; only
    /// on the audio thread, after the last call.
    ///
    /// - Parameter moment: The position of the transport at that time.
    /// - Returns: The position with its beats.
    @_noLocks
    public func announceBeats(at moment: ExternalMoment) -> RTTransport {
        core.pointee.clock.announce(moment)
    }

    /// The number of output slots that the next `render` writes; it leaves the buffers of higher
    /// slots unchanged.
    ///
    /// If a schedule takes over in the middle of a call, the call may write to more slots.
    public var outputSlotCount: Int { @_noLocks get { core.pointee.playing.outputSlotCount } }

    /// The number of frames rendered so far: the clock of `Command.set`.
    public var frame: UInt64 { @_noLocks get { core.pointee.frame } }
}
