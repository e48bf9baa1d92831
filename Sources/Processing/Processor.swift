public import CRealtime

/// A prepared sound processor: C functions over a state pointer, as in LV2, so that a plugin and
/// our own effects cost the same to call.
///
/// It is made and freed off the audio thread; the audio thread only ever sees its functions and its
/// state.
public final class Processor {
    /// What the functions act on; owned by this object.
    public let state: UnsafeMutableRawPointer
    /// Renders a block.
    public let run: RTRun
    /// Moves a parameter, by its index in the node's list.
    public let set: RTSet
    /// Brings the state back to that of a fresh processor at the present parameters.
    ///
    /// Called off the audio thread, or between two runs of it.
    public let reset: RTAction
    private let free: RTAction
    /// What keeps the functions' own surroundings alive (a library, a world), freed after the
    /// state.
    private let owner: AnyObject?

    /// Channels that come in.
    public let inputCount: Int
    /// Channels that go out.
    public let outputCount: Int
    /// How many frames after an impulse goes in it comes out.
    public let latencyFrames: Int
    /// How long it may sound after its input fell silent; nil where that is not known.
    public let tailFrames: Int?
    /// How long it may be silent, its input too, and sound again after it: a long echo.
    public let gapFrames: Int
    /// Whether a period may be split at the frame where a parameter changes.
    ///
    /// Our own effects give the same output however it is split; plugins do not.
    public let isSplittable: Bool
    /// The values it reports while it plays, as many as its description names; written by `run`.
    public let reports: UnsafePointer<Float>?
    /// Its state beyond its parameters; nil where it has none.
    public let memory: (any ProcessorMemory)?
    /// Whether it takes the messages and the time that come with a block, and gives messages.
    public let playsInTime: Bool
    /// Whether `set` takes `RTTargetBypass` too: 1 once it is not heard, 0 before it is again.
    public let takesBypass: Bool
    /// Whether `set` takes `RTTargetTempo` too: beats a minute, at first those it was made for.
    public let followsTempo: Bool
    /// What it tells beside its sound; nil where that never changes.
    public let news: UnsafePointer<RTNews>?
    /// For one that may be away: not 0 after a run that gave no sound of its own; written by `run`.
    public let absence: UnsafePointer<UInt32>?
    /// What befalls it, for the control side; nil where nothing can.
    public let incidents: IncidentLog?

    /// All parts, each as its property says; `free` is called with the state at the end.
    public init(
        state: UnsafeMutableRawPointer, run: @escaping RTRun, set: @escaping RTSet,
        reset: @escaping RTAction, free: @escaping RTAction,
        owner: AnyObject? = nil, inputCount: Int, outputCount: Int, latencyFrames: Int,
        tailFrames: Int?, gapFrames: Int = 0, isSplittable: Bool,
        reports: UnsafePointer<Float>? = nil, memory: (any ProcessorMemory)? = nil,
        playsInTime: Bool = false, takesBypass: Bool = false,
        followsTempo: Bool = false, news: UnsafePointer<RTNews>? = nil,
        absence: UnsafePointer<UInt32>? = nil, incidents: IncidentLog? = nil
    ) {
        self.state = state
        self.run = run
        self.set = set
        self.reset = reset
        self.free = free
        self.owner = owner
        self.inputCount = inputCount
        self.outputCount = outputCount
        self.latencyFrames = latencyFrames
        self.tailFrames = tailFrames
        self.gapFrames = gapFrames
        self.isSplittable = isSplittable
        self.reports = reports
        self.memory = memory
        self.playsInTime = playsInTime
        self.takesBypass = takesBypass
        self.followsTempo = followsTempo
        self.news = news
        self.absence = absence
        self.incidents = incidents
    }

    /// How long a plugin may be silent between two echoes: what it says nothing of is taken to be this.
    public static let pluginGapSeconds = 2.0

    deinit { free(state) }
}

/// The state of a processor beyond its parameters, to be saved and restored; never on the audio thread.
public protocol ProcessorMemory: AnyObject {
    /// The whole state as text, which any process can restore from.
    ///
    /// - Throws: `PluginFault` where it cannot be told.
    func savedState() throws(PluginFault) -> String

    /// Brings the processor into a saved state.
    ///
    /// - Parameters:
    ///   - text: What `savedState` gave.
    ///   - isPlaying: Whether the audio thread runs the processor at present.
    /// - Throws: `PluginFault` where the text is no state of it.
    func restore(_ text: String, isPlaying: Bool) throws(PluginFault)
}
