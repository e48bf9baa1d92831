internal import Synchronization

/// What a replay must know about the start of an engine.
public struct EngineStart: Sendable, Codable, Equatable {
    /// Whether the outputs are silent until a fade-in.
    public var fadesIn = false
    /// Whether the outputs are muted.
    public var isMuted = false
    /// The master gain in dB; `nil` if none was set.
    public var gainDecibels: Double?
    /// Whether the messages of the first song were sent.
    public var startsSong = false
    /// The index of the scene that it began with; `nil` for none.
    public var scene: Int?
    /// The ticks of the measured times in a second.
    public var ticksPerSecond = 1e9

    /// Creates a start without a fade-in.
    public init() {}
}

/// Receives everything that the output of an engine depends on: the ring receives what the audio
/// thread sees, the functions receive the schedules.
public struct EngineCapture: Sendable {
    let ring: CaptureRing
    private let owner: any AnyObject & Sendable
    let soundRoundFrames: Int
    let onStart: @Sendable (EngineStart) -> Void
    let onSchedule: @Sendable (UInt64, ScheduleRecipe) -> Void

    /// Creates a capture.
    ///
    /// - Parameters:
    ///   - ring: The ring, which no other engine uses.
    ///   - owner: Owns the memory of the ring; the engine keeps it alive.
    ///   - soundRoundFrames: The shortest time in which nodes note all sound that they keep, in
    ///     frames.
    ///   - onStart: Called when the engine is created, and when its start changes.
    ///   - onSchedule: Called with the number and the recipe of each schedule before the engine
    ///     receives it; the first one has the number 0.
    public init(
        ring: CaptureRing, owner: any AnyObject & Sendable, soundRoundFrames: Int,
        onStart: @escaping @Sendable (EngineStart) -> Void,
        onSchedule: @escaping @Sendable (UInt64, ScheduleRecipe) -> Void
    ) {
        self.ring = ring
        self.owner = owner
        self.soundRoundFrames = soundRoundFrames
        self.onStart = onStart
        self.onSchedule = onSchedule
    }
}

/// The control side of a capture.
final class CaptureControl: Sendable {
    private let capture: EngineCapture
    private let state: Mutex<State>

    private struct State {
        var start: EngineStart
        var scheduleCount: UInt64 = 0
    }

    init(_ capture: EngineCapture, fadesIn: Bool) {
        self.capture = capture
        var start = EngineStart()
        start.fadesIn = fadesIn
        start.ticksPerSecond = TickRate.shared.ticksPerNanosecond * 1e9
        state = Mutex(State(start: start))
        capture.onStart(start)
    }

    var writer: CaptureWriter { capture.ring.writer }
    var soundRoundFrames: Int { capture.soundRoundFrames }

    /// Gives a schedule its number; call it before the engine receives the schedule.
    func add(_ schedule: Schedule) {
        let number = state.withLock { state in
            defer { state.scheduleCount += 1 }
            return state.scheduleCount
        }
        schedule.core.pointee.number = number
        schedule.beginNoting()
        capture.onSchedule(number, schedule.recipe)
    }

    func changeStart(_ change: (inout EngineStart) -> Void) {
        let start = state.withLock { state in
            change(&state.start)
            return state.start
        }
        capture.onStart(start)
    }
}
