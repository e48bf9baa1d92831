internal import CLilv
internal import CRealtime
internal import Processing

/// One loaded and activated plugin, with all the memory that it is connected to.
///
/// It is made and freed off the audio thread.
final class PluginInstance {
    /// What the audio thread acts on.
    let state: UnsafeMutablePointer<PluginCore>
    let ports: PluginPorts
    /// The instance that told this one's latency, until it is freed; see `Rehearsals`.
    var rehearsal: PluginInstance?
    private let cleanup: (@convention(c) (LV2_Handle?) -> Void)?
    private let features: PluginFeatures
    private let messages: PluginMessages
    private let taken: TakenMark

    /// Loads and activates a plugin.
    ///
    /// - Throws: `PluginFault` with the loader's reason, or where the plugin gives no instance.
    init(
        _ shape: PluginShape, _ request: ProcessorRequest, _ marks: CrashMarks
    ) throws(PluginFault) {
        taken = TakenMark(marks, shape.uri)
        let mark = taken.mark
        let library = try PluginLibrary(path: shape.libraryPath)
        let messages = PluginMessages(name: shape.description.label)
        let features = PluginFeatures(
            request.format, log: messages.log, loadsDefaultState: shape.loadsDefaultState)
        let descriptor = try library.descriptor(of: shape, features)
        let calls = try PluginCalls(
            instantiating: descriptor, sampleRate: request.format.sampleRate,
            bundlePath: shape.bundlePath, features, mark)
        ports = PluginPorts(shape, request)
        ports.forEachConnection { plugin_connect(calls, $0, $1) }
        state = PluginCore.make(
            calls: calls, log: messages.log, mark: mark, shape: shape, ports: ports,
            format: request.format)
        CleanThread.run { mark.during(.activate) { plugin_activate(calls) } }
        cleanup = descriptor.pointee.cleanup
        self.messages = messages
        self.features = features
    }

    deinit {
        let calls = state.pointee.calls
        taken.mark.during(.deactivate) { plugin_deactivate(calls) }
        taken.mark.during(.cleanup) { cleanup?(calls.handle) }
        PluginCore.free(state)
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
                let control = rt_float_control()
                rt_flush_denormals()
                for _ in 0..<4 { state.pointee.run(&block) }
                rt_restore_float_control(control)
            }
        }
        return ports.latencyFrames
    }
}

extension PluginCalls {
    /// Makes an instance of a plugin.
    ///
    /// - Throws: `PluginFault` where the plugin gives none, or lacks a function that it must have.
    fileprivate init(
        instantiating descriptor: UnsafePointer<LV2_Descriptor>, sampleRate: Double,
        bundlePath: String, _ features: PluginFeatures, _ mark: CrashMark
    ) throws(PluginFault) {
        let functions = descriptor.pointee
        guard let instantiate = functions.instantiate, let run = functions.run,
            let connect = functions.connect_port
        else { throw PluginFault("the plugin lacks a function that it must have") }
        var made: LV2_Handle?
        CleanThread.run {
            mark.during(.instantiate) {
                made = instantiate(descriptor, sampleRate, bundlePath, features.list.baseAddress)
            }
        }
        guard let handle = made else {
            throw PluginFault("the plugin gives no instance of itself")
        }
        self.init(
            handle: handle, run: run, connect: connect, activate: functions.activate,
            deactivate: functions.deactivate)
    }
}
