internal import CLilv
internal import CRealtime

/// What a plugin's run needs: plain values and pointers to memory that its `PluginInstance` owns.
struct PluginState {
    let calls: PluginCalls
    let log: UnsafeMutablePointer<PluginLog>
    let audioInputs: UnsafeMutableBufferPointer<AudioConnection>
    let audioOutputs: UnsafeMutableBufferPointer<AudioConnection>
    let glides: UnsafeMutableBufferPointer<ControlGlide>
    let events: UnsafeMutableBufferPointer<EventBuffer>
    let glideFrames: Int32
    /// Whether a control may still be on its way.
    var isGliding = false

    /// One audio port and the buffer that it is connected to.
    struct AudioConnection {
        let port: UInt32
        var buffer: UnsafeMutableRawPointer?
    }

    init(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, shape: PluginShape,
        ports: PluginPorts, sampleRate: Double
    ) {
        self.calls = calls
        self.log = log
        audioInputs = Self.connections(shape.ports(.audioInput), ports.silence)
        audioOutputs = Self.connections(shape.ports(.audioOutput), ports.discarded)
        let glides = ports.glides()
        self.glides = .allocate(capacity: glides.count)
        _ = self.glides.initialize(from: glides)
        events = ports.events
        glideFrames = Int32(max(1, (sampleRate * ControlGlide.seconds).rounded()))
    }

    private static func connections(_ ports: [Int], _ buffer: UnsafeMutablePointer<Float>)
        -> UnsafeMutableBufferPointer<AudioConnection>
    {
        let connections = UnsafeMutableBufferPointer<AudioConnection>.allocate(
            capacity: ports.count)
        _ = connections.initialize(
            from: ports.map { AudioConnection(port: UInt32($0), buffer: buffer) })
        return connections
    }

    /// Frees what this made; the rest is `PluginPorts`'.
    func deallocate() {
        audioInputs.deallocate()
        audioOutputs.deallocate()
        glides.deallocate()
    }

    /// Renders one whole period.
    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        guard block.pointee.frameCount > 0 else { return }
        if isGliding { advanceGlides(block.pointee.frameCount) }
        for buffer in events { buffer.clear() }
        connect(block)
        // The node before may have changed the processor's flags, and so may this plugin for the node after.
        rt_flush_denormals()
        plugin_log_mark(log, true)
        plugin_run(calls, UInt32(block.pointee.frameCount))
        plugin_log_mark(log, false)
        rt_flush_denormals()
    }

    /// Moves a parameter, by its place among the parameters.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard parameter >= 0, parameter < Int32(glides.count) else { return }
        glides[Int(parameter)].move(to: value)
        isGliding = isGliding || glides[Int(parameter)].isMoving
    }

    /// Makes the plugin a fresh one at the values that its parameters go to.
    ///
    /// Not on the audio thread.
    mutating func reset() {
        for place in glides.indices { glides[place].finish() }
        isGliding = false
        plugin_deactivate(calls)
        plugin_activate(calls)
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
