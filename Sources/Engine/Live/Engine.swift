public import CRealtime
public import Processing
internal import Realtime
internal import Synchronization

/// Plays a schedule: the one `render` that JACK's callback and the offline host both call.
///
/// The object is the control side; `audio` is the audio side. They share nothing but rings and one
/// atomic exchange. The engine must outlive the last call of `audio.render`.
public final class Engine: @unchecked Sendable {
    // SAFETY: the control side touches only the rings' ends, behind locks, and the core's atomic;
    // all else of the core belongs to the audio thread.

    private static let commandCapacity = EngineCore.eventCapacity

    /// The audio side.
    public let audio: EngineAudio
    private let core: UnsafeMutablePointer<EngineCore>
    private let arena: Arena
    private let commands: Ring<Command>
    private let reports: Ring<Report>
    private let finished: Ring<UInt>
    private let ear: Processor?
    /// One control thread at a time at the rings' ends, and what it knows of what plays.
    private let control: Mutex<Known>

    /// What the control side keeps.
    private struct Known {
        /// The schedules handed over last; the newest plays, or the one before it until it is taken.
        var schedules: [WeakSchedule]
        var watches: [StuckWatch]
    }

    private struct WeakSchedule {
        weak var schedule: Schedule?
    }

    /// An engine that plays a schedule from its first frame on.
    ///
    /// - Parameters:
    ///   - schedule: What is played first; schedules that follow have the same channels outside.
    ///   - fadingIn: Whether the outputs are silent until `fadeIn`.
    ///   - ear: A processor of one channel that hears an input beside all that plays; see `Command.hear`.
    ///   - bell: A semaphore (`sem_t`) that is posted when reports wait that are not to be left until later; it must
    ///     outlive the engine.
    public init(
        playing schedule: Schedule, fadingIn: Bool = false, ear: Processor? = nil,
        bell: UnsafeMutableRawPointer? = nil
    ) {
        self.ear = ear
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
                watches: Array(repeating: StuckWatch(), count: Self.knownSchedules)))
        core = .allocate(capacity: 1)
        core.initialize(
            to: EngineCore(
                commands: commands.consumer, reports: reports.producer,
                finished: finished.producer, schedule: playing, ear: ear, bell: bell,
                arena: arena))
        if fadingIn { core.pointee.startSilent() }
        audio = EngineAudio(core: core)
    }

    /// Sends a command; false where the ring is full and the command was not taken.
    public func send(_ command: Command) -> Bool {
        control.withLock { _ in commands.producer.push(command) }
    }

    /// Begins muted or not, and with a gain of all outputs; to be called before anything is rendered.
    public func begin(isMuted: Bool, masterGain: Float) {
        core.pointee.start(isMuted: isMuted, masterGain: masterGain)
    }

    /// Lets the outputs swell in.
    public func fadeIn(seconds: Double) -> Bool {
        send(.fadeIn(seconds: Float(seconds)))
    }

    /// Lets the outputs fade to silence; `Report.faded` tells when they are there.
    public func fadeOut(seconds: Double) -> Bool {
        send(.fadeOut(seconds: Float(seconds)))
    }

    /// Hands over a schedule in a manner; false where the ring is full and it was not taken.
    ///
    /// Its sample rate is the engine's from then on: for crossfades, fades, limiters and meters. Its signals are among
    /// those that `audio.render` is called with from now on.
    public func exchange(_ schedule: Schedule, _ manner: Command.Exchange) -> Bool {
        control.withLock { known in
            let handle = HeldSchedule.hold(schedule)
            guard commands.producer.push(.exchange(handle: handle, manner)) else {
                HeldSchedule.release(handle)
                return false
            }
            known.schedules.removeAll { $0.schedule == nil || $0.schedule === schedule }
            known.schedules.append(WeakSchedule(schedule: schedule))
            known.schedules = known.schedules.suffix(Self.knownSchedules)
            return true
        }
    }

    /// The oldest report not yet read.
    public func nextReport() -> Report? { control.withLock { _ in reports.consumer.pop() } }

    /// Stops plugins that take too long from now on, or no longer: off the clock nothing can be late.
    ///
    /// From any thread.
    public func watchPlugins(_ isOn: Bool) {
        core.pointee.isWatching.store(isOn, ordering: .relaxed)
    }

    /// The oldest incident of a plugin that was not yet read, and its node's id.
    public func nextIncident() -> (node: String, incident: Incident)? {
        control.withLock { known in
            for held in known.schedules {
                guard let schedule = held.schedule, let found = schedule.nextIncident() else {
                    continue
                }
                return (schedule.nodeIDs[found.node], found.incident)
            }
            return nil
        }
    }

    /// The node that the audio thread has been in for more than a second, and for how long; told once.
    ///
    /// To be called several times a second.
    public func stuckNode(atNanoseconds now: UInt64) -> (node: String, seconds: Double)? {
        control.withLock { known in
            for (place, held) in known.schedules.enumerated() {
                guard let schedule = held.schedule else { continue }
                let whereabouts = schedule.whereabouts
                let count = whereabouts.pointee.count.load(ordering: .relaxed)
                let node = whereabouts.pointee.node.load(ordering: .relaxed)
                if let stuck = known.watches[place].stuckNode(node, count, at: now) {
                    return (schedule.nodeIDs[stuck.node], stuck.seconds)
                }
            }
            return nil
        }
    }

    /// Frees the schedules that are no longer played.
    ///
    /// To be called now and then.
    public func collect() {
        while let handle = control.withLock({ _ in finished.consumer.pop() }) {
            HeldSchedule.release(handle)
        }
    }

    /// Room for two intervals' reports of a large pipeline, and for events.
    private static let reportCapacity = 1 << 13
    /// As many as sound at once, and the one to come.
    private static let knownSchedules = 5

    deinit {
        collect()
        while let command = commands.consumer.pop() {
            if case .exchange(let handle, _) = command { HeldSchedule.release(handle) }
        }
        for place in 0..<core.pointee.voices.count {
            HeldSchedule.release(core.pointee.voices[place].pointee.schedule.handle)
        }
        HeldSchedule.release(core.pointee.leaving)
        core.deinitialize(count: 1)
        core.deallocate()
    }
}

/// The audio side of an engine: a plain value for the one thread that renders.
public struct EngineAudio: @unchecked Sendable {
    // SAFETY: only one thread at a time renders, as `render` demands; what the pointer leads to
    // lives as long as the engine.
    fileprivate let core: UnsafeMutablePointer<EngineCore>

    /// Renders the next frames; the one entry of the audio thread, one call at a time.
    ///
    /// - Parameters:
    ///   - frameCount: Any number from 0 on; the output is the same however frames are split into
    ///     calls, as far as the plugins in the pipeline allow.
    ///   - inputs: One pointer for each channel of the pipeline's audio inputs, in its order.
    ///   - outputs: One pointer for each channel of its audio outputs; none overlaps another or an input.
    ///   - outside: MIDI and time of these frames; nil where there is none but the engine's own.
    @_noLocks
    public func render(
        frameCount: Int, inputs: UnsafePointer<UnsafePointer<Float>>,
        outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        outside: UnsafePointer<RTOutside>? = nil
    ) {
        // The thread may not be ours: its flags are set each time, and left to the caller to put back.
        rt_flush_denormals()
        core.pointee.render(frameCount, inputs, outputs, outside)
    }

    /// The output slots that the next `render` writes are all below this; what stands behind others is left as it is.
    ///
    /// A schedule that is taken over in the middle of a call may write more.
    public var outputSlotCount: Int { @_noLocks get { core.pointee.playing.outputSlotCount } }

    /// Frames rendered so far: the clock of `Command.set`.
    public var frame: UInt64 { @_noLocks get { core.pointee.frame } }
}
