internal import CCallWatch
internal import CLilv
internal import CRealtime
internal import Processing
internal import Realtime

/// The data for a plugin's run.
///
/// It points to memory that its `PluginInstance` owns, such as the memory of the ports, the log and
/// the worker.
struct PluginCore: Kernel, ~Copyable {
    private(set) var calls: PluginCalls
    let log: UnsafeMutablePointer<PluginLog>
    let mark: CrashMark
    /// The connections of the inputs, then of the outputs.
    private let connections: UnsafeMutablePointer<AudioConnection>
    private let inputCount: Int32
    private let outputCount: Int32
    let pause: UnsafeMutablePointer<RunPause>
    /// The worker's data; `nil` if the plugin has no worker.
    let worker: UnsafeMutablePointer<WorkerCore>?
    /// Whether a control may still be moving.
    private var isGliding = false
    /// Whether the last run requested work or received a result.
    private(set) var isWorking = false
    /// Whether the plugin uses events or time.
    private let usesMIDIOrTransport: Bool
    /// Whether the plugin may report a latency or dropped messages.
    private let reportsStatus: Bool
    private let glideFrames: Int32
    private let glides: Buffer<ControlGlide>
    private let triggers: Buffer<ControlTrigger>
    /// Whether a trigger has received a message that has not acted, or acts in this or the last run.
    private var isTriggering = false
    // Data that most plugins do not use is last, so that a run reads few cache lines.
    var properties: PropertyCore
    private var context: ContextControls
    private var traffic: EventTraffic

    /// Creates the data for runs.
    ///
    /// - Parameters:
    ///   - calls: The plugin's functions.
    ///   - log: The plugin's log.
    ///   - mark: The mark that records when the plugin runs.
    ///   - worker: The worker's data; `nil` if the plugin has no worker.
    ///   - properties: The plugin's properties.
    ///   - connections: The connections of the inputs, then of the outputs.
    ///   - inputCount: The number of inputs.
    ///   - outputCount: The number of outputs.
    ///   - pause: The pause in the plugin's runs.
    ///   - ports: The memory of the plugin's ports.
    ///   - format: The audio format.
    init(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, mark: CrashMark,
        worker: UnsafeMutablePointer<WorkerCore>?, properties: consuming PropertyCore,
        connections: UnsafeMutablePointer<AudioConnection>, inputCount: Int, outputCount: Int,
        pause: UnsafeMutablePointer<RunPause>, ports: PluginPorts, format: AudioFormat
    ) {
        self.calls = calls
        self.log = log
        self.worker = worker
        self.properties = properties
        self.pause = pause
        self.mark = mark
        self.connections = connections
        self.inputCount = Int32(inputCount)
        self.outputCount = Int32(outputCount)
        glides = Buffer(ports.glides())
        triggers = Buffer(ports.triggers())
        traffic = EventTraffic(ports)
        context = ContextControls(ports)
        usesMIDIOrTransport = ports.usesMIDIOrTransport
        reportsStatus = ports.usesMIDIOrTransport || context.reportsLatency
        glideFrames = ControlGlide.lengthFrames(format)
    }

    /// Has a trial's record of floating-point flags surround each run from now on.
    mutating func watchRuns() {
        float_watch_select(calls.run)
        calls.run = float_watch_run
    }

    /// The latency that the plugin reported last, in frames.
    var latencyFrames: Int { Int(context.latencyFrames) }

    /// LV2 has no way to state a tail.
    var tailFrames: Int? { nil }

    /// Renders one whole cycle.
    ///
    /// The caller has set the processor's floating-point flags. They are set again afterwards,
    /// whatever the plugin did to them.
    @_noLocks
    // The compiler does not inline C functions into a protocol witness, so the witness must call
    // this function instead of containing it: that costs 13 ns less per node.
    @inline(never)
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        guard block.pointee.frameCount > 0, pause.pointee.allowsRun(block) else { return }
        guard !plugin_has_left(calls.record) else { return silence(block) }
        if isGliding { advanceGlides(block.pointee.frameCount) }
        if isTriggering { beginTriggers() }
        if usesMIDIOrTransport { beginWithMIDI(block) }
        connect(block)
        worker?.pointee.beginRun()
        plugin_log_mark(log, true)
        mark.enterRun()
        plugin_run(calls, UInt32(block.pointee.frameCount))
        mark.leaveRun()
        plugin_log_mark(log, false)
        if let worker { isWorking = worker.pointee.endRun() }
        if isTriggering { endTriggers() }
        if plugin_has_left(calls.record) { silence(block) }
        // The caller set the flags before the first run; now each later run finds them set as well.
        rt_flush_denormals()
        if pause.pointee.fades { pause.pointee.fade(block) }
        if reportsStatus { endWithMIDI(block) }
    }

    /// Outputs silence for a plugin that has called `exit`; the engine passes the dry signal.
    @_noLocks
    @inline(never)
    private func silence(_ block: UnsafePointer<RTBlock>) {
        for channel in 0..<Int(block.pointee.outputCount) {
            rt_clear(block.pointee.outputs[channel], Int64(block.pointee.frameCount))
        }
    }

    @_noLocks
    @inline(never)
    private mutating func beginWithMIDI(_ block: UnsafePointer<RTBlock>) {
        context.begin(block)
        traffic.clear()
        // Changed properties come before the events at their frame.
        properties.send()
        traffic.fill(block)
    }

    @_noLocks
    @inline(never)
    private mutating func endWithMIDI(_ block: UnsafePointer<RTBlock>) {
        if usesMIDIOrTransport {
            properties.receive()
            traffic.end(block)
        }
        context.end(droppedMessages: traffic.droppedMessages)
    }

    /// Sets a parameter by its index, or forwards the bypass to the plugin.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard parameter >= 0 else {
            if parameter == RTTargetBypass.rawValue { context.setBypass(value >= 0.5) }
            return
        }
        guard parameter < Int32(glides.count) else {
            return properties.set(Int(parameter) - glides.count, to: value)
        }
        let trigger = glides[Int(parameter)].trigger
        guard trigger < 0 else {
            triggers[Int(trigger)].receive(value)
            isTriggering = true
            return
        }
        glides[Int(parameter)].move(to: value)
        isGliding = isGliding || glides[Int(parameter)].isMoving
    }

    /// Resets the plugin, with its parameters at their target values.
    ///
    /// Must not be called on the audio thread.
    mutating func reset() {
        for index in 0..<glides.count { glides[index].finish() }
        isGliding = false
        mark.during(.deactivate) { plugin_deactivate(calls) }
        mark.during(.activate) { plugin_activate(calls) }
    }

    @_noLocks
    private mutating func advanceGlides(_ frameCount: Int32) {
        var isAnyMoving = false
        for index in 0..<glides.count where glides[index].isMoving {
            glides[index].advance(frameCount, lengthFrames: glideFrames)
            isAnyMoving = isAnyMoving || glides[index].isMoving
        }
        isGliding = isAnyMoving
    }

    @_noLocks
    @inline(never)
    private func beginTriggers() {
        for index in 0..<triggers.count { triggers[index].beginRun() }
    }

    @_noLocks
    @inline(never)
    private mutating func endTriggers() {
        var isAnyWaiting = false
        for index in 0..<triggers.count where triggers[index].endRun() { isAnyWaiting = true }
        isTriggering = isAnyWaiting
    }

    /// Connects ports whose buffer has changed; with the engine, there are usually none.
    @_noLocks
    @inline(__always)
    private func connect(_ block: UnsafePointer<RTBlock>) {
        let (inputs, outputs) = (block.pointee.inputs, block.pointee.outputs)
        var connection = connections
        for index in 0..<Int(inputCount) {
            let buffer = UnsafeMutableRawPointer(mutating: inputs[index])
            if connection.pointee.buffer != buffer { connection.pointee.connect(calls, buffer) }
            connection += 1
        }
        for index in 0..<Int(outputCount) {
            let buffer = UnsafeMutableRawPointer(outputs[index])
            if connection.pointee.buffer != buffer { connection.pointee.connect(calls, buffer) }
            connection += 1
        }
    }
}
