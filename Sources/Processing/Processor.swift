public import CRealtime
public import Realtime

/// A prepared node: its kernel, and the facts that the engine needs about it.
///
/// A processor is created and freed off the audio thread. The audio thread uses only its `kernel`
/// and the pointers.
public final class Processor {
    /// Returns the current texts that a node reports, in the order of its description's
    /// `textReports`.
    ///
    /// It is called off the audio thread, may be kept longer than the processor, and must return
    /// soon.
    ///
    /// - Parameter values: The latest values of the node's reports; 0 for unknown ones.
    public typealias ReportTexts = @Sendable (_ values: [Float]) -> [String]

    /// The kernel, which the processor or its owner keeps alive.
    public let kernel: KernelReference
    /// Keeps everything alive that the kernel uses (a library, files, a process).
    ///
    /// Freed after the kernel.
    private let owner: AnyObject?
    private let ownsKernel: Bool

    /// The number of input channels.
    public let inputCount: Int
    /// The number of output channels.
    public let outputCount: Int
    /// The time between an impulse at the input and the same impulse at the output, in frames.
    public let latencyFrames: Int
    /// The longest time for which the output continues after the input falls silent, in frames;
    /// `nil` if unknown.
    public let tailFrames: Int?
    /// The longest silence after which the output may continue although the input stayed silent, in
    /// frames: a long echo.
    public let gapFrames: Int
    /// Whether the engine may split a cycle at the frame where a parameter changes.
    ///
    /// The built-in effects produce the same output however a cycle is split; plugins may not.
    public let isSplittable: Bool
    /// The values that the node reports, in the order of its description; written by `run`.
    public let reports: UnsafePointer<Float>?
    /// The texts that the node reports; `nil` if it reports none.
    public let reportTexts: ReportTexts?
    /// The state in addition to the parameters; `nil` if the parameters are the whole state.
    public let memory: (any ProcessorMemory)?
    /// Whether the kernel reads the messages and the time of a block, or sends messages.
    public let usesMIDIOrTransport: Bool
    /// Whether `set` accepts `RTTargetBypass` too: 1 when the node is no longer heard, 0 before it
    /// is heard again.
    public let receivesBypass: Bool
    /// Whether `set` accepts `RTTargetTempo` too, in beats per minute, and `RTTargetRoundTrip`.
    ///
    /// The kernel starts with the tempo of the request.
    public let followsTempo: Bool
    /// Whether the kernel reads the transport of each block, including the parts into which the
    /// engine splits a cycle.
    ///
    /// The messages of a part begin at the frame of the part; the transport belongs to the whole
    /// cycle.
    public let followsTransport: Bool
    /// The current latency and the number of dropped messages; `nil` if they never change.
    public let status: UnsafePointer<RTStatus>?
    /// Not 0 after a run without any sound from the plugin; written by `run`.
    ///
    /// `nil` if that cannot happen.
    public let missedOutput: UnsafePointer<UInt32>?
    /// How often the sound has played to its end; written by `run`, and wraps around.
    ///
    /// `nil` if it has no end.
    public let endCount: UnsafePointer<UInt32>?
    /// Incidents for the control side; `nil` if there can be none.
    public let incidents: IncidentLog?
    /// Changes the settings while the processor runs; `nil` if any change needs a new processor.
    public let settingsFollower: (any SettingsFollower)?
    /// The data that the kernel receives from other threads; `nil` if its output does not depend on
    /// any.
    public let arrivals: ArrivalLog?
    /// The notes of the kernel's state that does not fade; `nil` if the kernel notes nothing.
    public let stateNotes: UnsafeMutablePointer<StateNotes>?
    /// Whether the kernel keeps sound that it can note in parts.
    public let notesSound: Bool
    private var stateMemory: StateMemory?

    /// Moves a kernel to the heap and prepares it.
    ///
    /// The processor owns the kernel, and keeps `owner` alive longer than it. Latency and tail are
    /// read from the kernel once, here. Each other parameter is described at the property of its
    /// name.
    public convenience init<Owned: Kernel & ~Copyable>(
        _ kernel: consuming Owned, owner: AnyObject? = nil, inputCount: Int, outputCount: Int,
        gapFrames: Int = 0, isSplittable: Bool = true, reports: UnsafePointer<Float>? = nil,
        reportTexts: ReportTexts? = nil, usesMIDIOrTransport: Bool = false,
        followsTempo: Bool = false, followsTransport: Bool = false,
        status: UnsafePointer<RTStatus>? = nil, endCount: UnsafePointer<UInt32>? = nil,
        incidents: IncidentLog? = nil,
        settingsFollower: (any SettingsFollower)? = nil, arrivals: ArrivalLog? = nil
    ) {
        let pointer = UnsafeMutablePointer<Owned>.allocate(capacity: 1)
        pointer.initialize(to: kernel)
        self.init(
            pointer, ownsKernel: true, owner: owner, inputCount: inputCount,
            outputCount: outputCount,
            gapFrames: gapFrames, isSplittable: isSplittable, reports: reports,
            reportTexts: reportTexts, memory: nil,
            usesMIDIOrTransport: usesMIDIOrTransport, receivesBypass: false,
            followsTempo: followsTempo, followsTransport: followsTransport,
            status: status,
            missedOutput: nil, endCount: endCount, incidents: incidents,
            settingsFollower: settingsFollower, arrivals: arrivals)
    }

    /// Prepares a plugin's kernel, which the plugin itself owns.
    ///
    /// The plugin is the owner: it frees the kernel when the processor releases it. The engine runs
    /// whole cycles of plugins. Each other parameter is described at the property of its name.
    public convenience init<Referenced: Kernel & ~Copyable>(
        plugin kernel: UnsafeMutablePointer<Referenced>, owner: AnyObject, inputCount: Int,
        outputCount: Int, gapFrames: Int, reports: UnsafePointer<Float>?,
        memory: any ProcessorMemory, usesMIDIOrTransport: Bool, receivesBypass: Bool,
        status: UnsafePointer<RTStatus>?, missedOutput: UnsafePointer<UInt32>,
        incidents: IncidentLog
    ) {
        self.init(
            kernel, ownsKernel: false, owner: owner, inputCount: inputCount,
            outputCount: outputCount, gapFrames: gapFrames, isSplittable: false, reports: reports,
            reportTexts: nil, memory: memory, usesMIDIOrTransport: usesMIDIOrTransport,
            receivesBypass: receivesBypass,
            followsTempo: false, followsTransport: false, status: status,
            missedOutput: missedOutput, endCount: nil, incidents: incidents,
            settingsFollower: nil, arrivals: nil)
    }

    private init<Referenced: Kernel & ~Copyable>(
        _ kernel: UnsafeMutablePointer<Referenced>, ownsKernel: Bool, owner: AnyObject?,
        inputCount: Int, outputCount: Int, gapFrames: Int, isSplittable: Bool,
        reports: UnsafePointer<Float>?, reportTexts: ReportTexts?,
        memory: (any ProcessorMemory)?, usesMIDIOrTransport: Bool,
        receivesBypass: Bool, followsTempo: Bool, followsTransport: Bool,
        status: UnsafePointer<RTStatus>?, missedOutput: UnsafePointer<UInt32>?,
        endCount: UnsafePointer<UInt32>?, incidents: IncidentLog?,
        settingsFollower: (any SettingsFollower)?, arrivals: ArrivalLog?
    ) {
        self.kernel = KernelReference(kernel)
        self.ownsKernel = ownsKernel
        self.owner = owner
        self.inputCount = inputCount
        self.outputCount = outputCount
        latencyFrames = kernel.pointee.latencyFrames
        tailFrames = kernel.pointee.tailFrames
        self.gapFrames = gapFrames
        self.isSplittable = isSplittable
        self.reports = reports
        self.reportTexts = reportTexts
        self.memory = memory
        self.usesMIDIOrTransport = usesMIDIOrTransport
        self.receivesBypass = receivesBypass
        self.followsTempo = followsTempo
        self.followsTransport = followsTransport
        self.status = status
        self.missedOutput = missedOutput
        self.endCount = endCount
        self.incidents = incidents
        self.settingsFollower = settingsFollower
        self.arrivals = arrivals
        stateNotes = kernel.pointee.stateNotes
        notesSound = kernel.pointee.notesSound
    }

    /// Provides memory for the notes of the kernel's state, unless they have it already; before the
    /// kernel's first run in an engine.
    public func beginNotingState() {
        guard let stateNotes, stateMemory == nil else { return }
        let memory = StateMemory(stateNotes.pointee.capacity)
        stateNotes.pointee.use(memory.words.start)
        stateMemory = memory
    }

    /// The assumed longest silence between two echoes of a plugin that does not state it.
    public static let pluginGapSeconds = 2.0

    deinit { if ownsKernel { kernel.free() } }
}

/// The memory for the notes of a kernel's state.
private final class StateMemory {
    let words: Buffer<UInt64>

    init(_ count: Int) { words = Buffer(count: count, repeating: 0) }
}

/// The state of a processor in addition to its parameters, to be saved and restored; never on the
/// audio thread.
public protocol ProcessorMemory: AnyObject {
    /// Returns the whole state as text, from which any process can restore it.
    ///
    /// - Throws: `PluginError` if the state cannot be read.
    func savedState() throws(PluginError) -> String

    /// Brings the processor into a saved state.
    ///
    /// - Parameters:
    ///   - text: A text that `savedState` returned.
    ///   - isPlaying: Whether the audio thread currently runs the processor.
    /// - Throws: `PluginError` if the text is not a state of this processor.
    func restore(_ text: String, isPlaying: Bool) throws(PluginError)
}
