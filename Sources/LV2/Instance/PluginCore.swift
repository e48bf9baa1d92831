internal import CLilv
internal import CRealtime
internal import Processing

/// What a plugin's run needs: plain values and pointers to memory that its `PluginInstance` owns.
struct PluginCore {
    let calls: PluginCalls
    let log: UnsafeMutablePointer<PluginLog>
    let mark: CrashMark
    /// Those of the inputs, then those of the outputs.
    private let connections: UnsafeMutablePointer<AudioConnection>
    private let inputCount: Int32
    private let outputCount: Int32
    let pause: UnsafeMutablePointer<RunPause>
    /// Nil where the plugin does no work.
    let worker: UnsafeMutablePointer<WorkerCore>?
    /// Whether a control may still be on its way.
    var isGliding = false
    /// Whether the last run asked for work, or took its result.
    private(set) var isWorking = false
    /// Whether there are events or time to be told.
    private let playsInTime: Bool
    /// Whether the plugin may tell something beside its sound.
    private let tellsNews: Bool
    let glideFrames: Int32
    let glides: UnsafeMutableBufferPointer<ControlGlide>
    // What most plugins have no use for stands last: few cache lines are read before their runs.
    var properties: PropertyCore
    private var surroundings: SurroundingControls
    private var traffic: EventTraffic

    /// The state, its pause and its audio connections in one piece of memory, so that few cache lines are read before each
    /// run.
    ///
    /// It is given back to `free`.
    static func make(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, mark: CrashMark,
        worker: UnsafeMutablePointer<WorkerCore>?, shape: PluginShape,
        ports: PluginPorts, properties: PropertyCore, format: AudioFormat
    ) -> UnsafeMutablePointer<PluginCore> {
        let inputs = shape.signalInputs, outputs = shape.signalOutputs
        let connected =
            inputs.map { AudioConnection(port: UInt32($0), buffer: ports.silence) }
            + outputs.map { AudioConnection(port: UInt32($0), buffer: ports.discarded) }
        let pauseOffset = MemoryLayout<PluginCore>.stride
        let connectionOffset = pauseOffset + MemoryLayout<RunPause>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: connectionOffset + connected.count * MemoryLayout<AudioConnection>.stride,
            alignment: 64)
        let connections = (memory + connectionOffset).bindMemory(
            to: AudioConnection.self, capacity: connected.count)
        connections.initialize(from: connected, count: connected.count)
        let pause = (memory + pauseOffset).bindMemory(to: RunPause.self, capacity: 1)
        pause.initialize(to: RunPause(sampleRate: format.sampleRate))
        let state = memory.bindMemory(to: PluginCore.self, capacity: 1)
        state.initialize(
            to: PluginCore(
                calls: calls, log: log, mark: mark, worker: worker, properties: properties,
                connections: connections, inputCount: inputs.count, outputCount: outputs.count,
                pause: pause, ports: ports, format: format))
        return state
    }

    /// Frees what `make` made; the rest is `PluginPorts`'.
    static func free(_ state: UnsafeMutablePointer<PluginCore>) {
        state.pointee.pause.deinitialize(count: 1)
        state.pointee.properties.deallocate()
        state.pointee.glides.deallocate()
        state.pointee.surroundings.deallocate()
        state.deallocate()
    }

    private init(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, mark: CrashMark,
        worker: UnsafeMutablePointer<WorkerCore>?, properties: PropertyCore,
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
        let glides = ports.glides()
        self.glides = .allocate(capacity: glides.count)
        _ = self.glides.initialize(from: glides)
        traffic = EventTraffic(ports)
        let surroundings = SurroundingControls(ports)
        self.surroundings = surroundings
        playsInTime = ports.playsInTime
        tellsNews = ports.playsInTime || surroundings.tellsLatency
        glideFrames = ControlGlide.lengthFrames(format)
    }

    /// Renders one whole period, with the processor's flags set; leaves them set whatever the plugin did to them.
    @_noLocks
    @inline(__always)
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        guard block.pointee.frameCount > 0, pause.pointee.allowsRun(block) else { return }
        if isGliding { advanceGlides(block.pointee.frameCount) }
        if playsInTime { beginInTime(block) }
        connect(block)
        worker?.pointee.beginRun()
        plugin_log_mark(log, true)
        mark.enterRun()
        plugin_run(calls, UInt32(block.pointee.frameCount))
        mark.leaveRun()
        plugin_log_mark(log, false)
        if let worker { isWorking = worker.pointee.endRun() }
        // The caller set the processor's flags before the first run; so every later one meets them set again.
        rt_flush_denormals()
        if pause.pointee.fades { pause.pointee.fade(block) }
        if tellsNews { endInTime(block) }
    }

    @_noLocks
    @inline(never)
    private mutating func beginInTime(_ block: UnsafePointer<RTBlock>) {
        surroundings.begin(block)
        traffic.clear()
        // What was changed stands before what comes at its frame.
        properties.send()
        traffic.fill(block)
    }

    @_noLocks
    @inline(never)
    private mutating func endInTime(_ block: UnsafePointer<RTBlock>) {
        if playsInTime {
            properties.receive()
            traffic.end(block)
        }
        surroundings.end(droppedMessages: traffic.droppedMessages)
    }

    /// Moves a parameter, by its place among the parameters, or tells the plugin of its bypass.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard parameter >= 0 else {
            if parameter == RTTargetBypass.rawValue { surroundings.setBypass(value >= 0.5) }
            return
        }
        guard parameter < Int32(glides.count) else {
            return properties.set(Int(parameter) - glides.count, to: value)
        }
        glides[Int(parameter)].move(to: value)
        isGliding = isGliding || glides[Int(parameter)].isMoving
    }

    /// Makes the plugin a fresh one at the values that its parameters go to.
    ///
    /// Not on the audio thread.
    mutating func reset() {
        for place in glides.indices { glides[place].finish() }
        isGliding = false
        mark.during(.deactivate) { plugin_deactivate(calls) }
        mark.during(.activate) { plugin_activate(calls) }
    }

    @_noLocks
    private mutating func advanceGlides(_ frameCount: Int32) {
        var isAnyMoving = false
        for place in glides.indices where glides[place].isMoving {
            glides[place].advance(frameCount, lengthFrames: glideFrames)
            isAnyMoving = isAnyMoving || glides[place].isMoving
        }
        isGliding = isAnyMoving
    }

    /// Connects what is not connected to the same buffer already: with the engine, mostly nothing.
    @_noLocks
    @inline(__always)
    private func connect(_ block: UnsafePointer<RTBlock>) {
        let (inputs, outputs) = (block.pointee.inputs, block.pointee.outputs)
        var connection = connections
        for place in 0..<Int(inputCount) {
            let buffer = UnsafeMutableRawPointer(mutating: inputs[place])
            if connection.pointee.buffer != buffer { connection.pointee.connect(calls, buffer) }
            connection += 1
        }
        for place in 0..<Int(outputCount) {
            let buffer = UnsafeMutableRawPointer(outputs[place])
            if connection.pointee.buffer != buffer { connection.pointee.connect(calls, buffer) }
            connection += 1
        }
    }
}
