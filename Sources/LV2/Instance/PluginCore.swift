internal import CLilv
internal import CRealtime
internal import Processing

/// What a plugin's run needs: plain values and pointers to memory that its `PluginInstance` owns.
struct PluginCore {
    let calls: PluginCalls
    let log: UnsafeMutablePointer<PluginLog>
    let mark: CrashMark
    let audioInputs: UnsafeMutableBufferPointer<AudioConnection>
    let audioOutputs: UnsafeMutableBufferPointer<AudioConnection>
    let glides: UnsafeMutableBufferPointer<ControlGlide>
    let glideFrames: Int32
    /// Nil where the plugin does no work.
    let worker: UnsafeMutablePointer<WorkerCore>?
    let pause: UnsafeMutablePointer<RunPause>
    var properties: PropertyCore
    /// Whether a control may still be on its way.
    var isGliding = false
    /// Whether the last run asked for work, or took its result.
    private(set) var isWorking = false
    /// Whether there are events or time to be told.
    private let playsInTime: Bool
    // What most plugins have no use for stands last: few cache lines are read before their runs.
    private var surroundings: SurroundingControls
    private var traffic: EventTraffic

    /// One audio port and the buffer that it is connected to.
    struct AudioConnection {
        let port: UInt32
        var buffer: UnsafeMutableRawPointer?
    }

    /// The state and its audio connections in one piece of memory, so that few cache lines are read before each run.
    ///
    /// It is given back to `free`.
    static func make(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, mark: CrashMark,
        worker: UnsafeMutablePointer<WorkerCore>?, shape: PluginShape,
        ports: PluginPorts, properties: PropertyCore, format: AudioFormat
    ) -> UnsafeMutablePointer<PluginCore> {
        let inputs = shape.signalInputs, outputs = shape.signalOutputs
        let connectionBytes =
            (inputs.count + outputs.count) * MemoryLayout<AudioConnection>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<PluginCore>.stride + connectionBytes, alignment: 64)
        let connections = (memory + MemoryLayout<PluginCore>.stride).bindMemory(
            to: AudioConnection.self, capacity: inputs.count + outputs.count)
        let state = memory.bindMemory(to: PluginCore.self, capacity: 1)
        state.initialize(
            to: PluginCore(
                calls: calls, log: log, mark: mark, worker: worker, properties: properties,
                audioInputs: connect(inputs, ports.silence, at: connections),
                audioOutputs: connect(outputs, ports.discarded, at: connections + inputs.count),
                ports: ports, format: format))
        return state
    }

    /// Frees what `make` made; the rest is `PluginPorts`'.
    static func free(_ state: UnsafeMutablePointer<PluginCore>) {
        state.pointee.pause.deinitialize(count: 1)
        state.pointee.pause.deallocate()
        state.pointee.properties.deallocate()
        state.pointee.glides.deallocate()
        state.pointee.surroundings.deallocate()
        state.deallocate()
    }

    private init(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, mark: CrashMark,
        worker: UnsafeMutablePointer<WorkerCore>?, properties: PropertyCore,
        audioInputs: UnsafeMutableBufferPointer<AudioConnection>,
        audioOutputs: UnsafeMutableBufferPointer<AudioConnection>, ports: PluginPorts,
        format: AudioFormat
    ) {
        self.calls = calls
        self.log = log
        self.worker = worker
        self.properties = properties
        pause = .allocate(capacity: 1)
        pause.initialize(to: RunPause(sampleRate: format.sampleRate))
        self.mark = mark
        self.audioInputs = audioInputs
        self.audioOutputs = audioOutputs
        let glides = ports.glides()
        self.glides = .allocate(capacity: glides.count)
        _ = self.glides.initialize(from: glides)
        traffic = EventTraffic(ports)
        surroundings = SurroundingControls(ports)
        playsInTime = ports.playsInTime
        glideFrames = ControlGlide.lengthFrames(format)
    }

    private static func connect(
        _ ports: [Int], _ buffer: UnsafeMutablePointer<Float>,
        at place: UnsafeMutablePointer<AudioConnection>
    ) -> UnsafeMutableBufferPointer<AudioConnection> {
        place.initialize(
            from: ports.map { AudioConnection(port: UInt32($0), buffer: buffer) },
            count: ports.count)
        return UnsafeMutableBufferPointer(start: place, count: ports.count)
    }

    /// Renders one whole period, with the processor's flags set; leaves them set whatever the plugin did to them.
    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        guard block.pointee.frameCount > 0, pause.pointee.allowsRun(block) else { return }
        if isGliding { advanceGlides(block.pointee.frameCount) }
        if playsInTime {
            surroundings.begin(block)
            traffic.clear()
            // What was changed stands before what comes at its frame.
            properties.send()
            traffic.fill(block)
        }
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
        pause.pointee.fade(block)
        if playsInTime {
            properties.receive()
            traffic.end(block)
        }
        if playsInTime || surroundings.tellsLatency {
            surroundings.end(droppedMessages: traffic.droppedMessages)
        }
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
    private mutating func connect(_ block: UnsafePointer<RTBlock>) {
        for place in 0..<audioInputs.count {
            let buffer = UnsafeMutableRawPointer(mutating: block.pointee.inputs[place])
            if audioInputs[place].buffer != buffer { connect(&audioInputs[place], buffer) }
        }
        for place in 0..<audioOutputs.count {
            let buffer = UnsafeMutableRawPointer(block.pointee.outputs[place])
            if audioOutputs[place].buffer != buffer { connect(&audioOutputs[place], buffer) }
        }
    }

    @_noLocks
    private func connect(_ connection: inout AudioConnection, _ buffer: UnsafeMutableRawPointer) {
        connection.buffer = buffer
        plugin_connect(calls, connection.port, buffer)
    }
}
