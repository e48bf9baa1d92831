internal import CLilv
internal import CRealtime
internal import Processing

/// One loaded and activated plugin, with all the memory it is connected to. Made and freed off the audio thread.
final class PluginInstance {
    /// What the audio thread acts on.
    let state: UnsafeMutablePointer<PluginState>
    let ports: PluginPorts
    private let instance: UnsafeMutablePointer<LilvInstance>
    private let features: PluginFeatures
    private let messages: PluginMessages
    private let world: PluginWorld

    /// Loads and activates a plugin. The caller holds the world's lock.
    ///
    /// - Throws: `PluginFault` with the loader's reason, or where the plugin gives no instance.
    init(
        _ plugin: OpaquePointer, _ shape: PluginShape, _ request: ProcessorRequest,
        world: PluginWorld
    ) throws(PluginFault) {
        try PluginLibrary.load(shape.libraryPath)
        let messages = PluginMessages(name: shape.description.label)
        let features = PluginFeatures(request.format, log: messages.log)
        let sampleRate = request.format.sampleRate
        var made: UnsafeMutablePointer<LilvInstance>?
        CleanThread.run {
            made = lilv_plugin_instantiate(plugin, sampleRate, features.list.baseAddress)
        }
        guard let instance = made else {
            throw PluginFault("the plugin gives no instance of itself")
        }
        guard let calls = PluginCalls(instance) else {
            lilv_instance_free(instance)
            throw PluginFault("the plugin's library gives no run function")
        }
        ports = PluginPorts(shape, request)
        ports.forEachConnection { plugin_connect(calls, $0, $1) }
        state = .allocate(capacity: 1)
        state.initialize(
            to: PluginState(
                calls: calls, log: messages.log, shape: shape, ports: ports,
                sampleRate: sampleRate))
        CleanThread.run { plugin_activate(calls) }
        self.instance = instance
        self.messages = messages
        self.features = features
        self.world = world
    }

    deinit {
        plugin_deactivate(state.pointee.calls)
        world.free(instance)
        state.pointee.deallocate()
        state.deallocate()
    }

    /// The latency that the plugin tells after some runs over silence, in frames.
    ///
    /// Some plugins need more than one run to tell it. The plugin's state is another one after them.
    func latencyFramesAfterSilence(_ request: ProcessorRequest) -> Int {
        // One place too many, so that a plugin without inputs or outputs has a list as well.
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(ports.silence), count: request.inputChannels + 1)
        let outputs = [UnsafeMutablePointer<Float>](
            repeating: ports.discarded, count: request.outputChannels + 1)
        inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else {
                    return
                }
                var block = RTBlock(
                    frameCount: Int32(request.format.maximumBlockFrames),
                    inputCount: Int32(request.inputChannels),
                    outputCount: Int32(request.outputChannels), inputs: inputs, outputs: outputs)
                for _ in 0..<4 { state.pointee.run(&block) }
            }
        }
        return ports.latencyFrames
    }
}

extension PluginCalls {
    /// The functions of an instance; nil where its descriptor lacks one.
    fileprivate init?(_ instance: UnsafeMutablePointer<LilvInstance>) {
        let descriptor = instance.pointee.lv2_descriptor.pointee
        guard let handle = instance.pointee.lv2_handle, let run = descriptor.run,
            let connect = descriptor.connect_port
        else { return nil }
        self.init(
            handle: handle, run: run, connect: connect, activate: descriptor.activate,
            deactivate: descriptor.deactivate)
    }
}
