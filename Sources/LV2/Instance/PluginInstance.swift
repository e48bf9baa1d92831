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
    let shape: PluginShape
    let features: PluginFeatures
    let files = PluginFiles()
    /// The instance that told this one's latency, until it is freed; see `Rehearsals`.
    var rehearsal: PluginInstance?
    private let descriptor: UnsafePointer<LV2_Descriptor>
    private let messages: PluginMessages
    private let worker = PluginWorker()
    private let taken: TakenMark

    /// Loads and activates a plugin, in the state that it starts with.
    ///
    /// Its worker does its work at once; `startWorker` gives it a thread of its own.
    ///
    /// - Throws: `PluginFault` with the loader's reason, or where the plugin gives no instance.
    init(
        _ shape: PluginShape, _ request: ProcessorRequest, _ start: StartingState,
        _ marks: CrashMarks
    ) throws(PluginFault) {
        taken = TakenMark(marks, shape.uri)
        let mark = taken.mark
        let library = try PluginLibrary(path: shape.libraryPath)
        let messages = PluginMessages(name: shape.description.label)
        let features = PluginFeatures(
            request.format, log: messages.log, worker: worker, files: files,
            loadsDefaultState: shape.loadsDefaultState)
        descriptor = try library.descriptor(of: shape, features)
        let calls = try PluginCalls(
            instantiating: descriptor, sampleRate: request.format.sampleRate,
            bundlePath: shape.bundlePath, features, mark)
        worker.connect(descriptor, calls.handle, mark)
        Self.settleOptions(features, of: descriptor, calls.handle, messages)
        ports = PluginPorts(shape, request)
        ports.forEachConnection { plugin_connect(calls, $0, $1) }
        state = PluginCore.make(
            calls: calls, log: messages.log, mark: mark, worker: worker.core, shape: shape,
            ports: ports,
            properties: PropertyCore(shape, request, ports: ports, own: start.ownParameters),
            format: request.format)
        self.shape = shape
        self.messages = messages
        self.features = features
        CleanMemory.during {
            for state in start.states { restore(state) }
            mark.during(.activate) { plugin_activate(calls) }
        }
        try settle(request, start)
    }

    deinit {
        guard worker.end() else { return leave() }
        let calls = state.pointee.calls
        taken.mark.during(.deactivate) { plugin_deactivate(calls) }
        taken.mark.during(.cleanup) { descriptor.pointee.cleanup?(calls.handle) }
        PluginCore.free(state)
    }

    /// Tells the plugin its options where it takes them apart from its features, and says which it did not take.
    private static func settleOptions(
        _ features: PluginFeatures, of descriptor: UnsafePointer<LV2_Descriptor>,
        _ handle: LV2_Handle, _ messages: PluginMessages
    ) {
        guard let interface = OptionsInterface(descriptor, handle) else { return }
        for option in interface.settle(features.options) {
            messages.say("it keeps another value of the option \(Namespace.shortened(option))")
        }
    }

    /// The instance as lilv knows it.
    var lilvInstance: LilvInstance {
        LilvInstance(
            lv2_descriptor: descriptor, lv2_handle: state.pointee.calls.handle, pimpl: nil)
    }

    /// Whether it can tell a state beyond its control values.
    var hasOwnState: Bool {
        descriptor.pointee.extension_data?(Namespace.state("interface")) != nil
    }

    /// Gives the plugin the properties of a state, not the control values.
    func restore(_ saved: PluginState) {
        taken.mark.during(.restore) { saved.restore(to: lilvInstance, features) }
    }

    /// Runs a body in which the plugin tells its state.
    func saving<Value>(_ body: () -> Value) -> Value { taken.mark.during(.save, body) }

    /// Gives the worker a thread of its own, so that no run waits for it.
    func startWorker() { worker.start() }

    /// The plugin is still at work, with all that it was given: that stays as long as the program.
    private func leave() {
        messages.say("its worker has not come to an end; it is left behind")
        for part in [ports, features, files, messages, worker, taken] as [AnyObject] {
            _ = Unmanaged.passRetained(part)
        }
    }

    // MARK: Before it plays

    /// Sends the plugin what the node says beyond its control ports, and lets it come to rest with it.
    ///
    /// - Throws: `PluginFault` where a text is too long for the plugin's event buffer.
    private func settle(_ request: ProcessorRequest, _ start: StartingState) throws(PluginFault) {
        let isAsked = start.changesPlugin || state.pointee.properties.hasUnsentValues
        guard isAsked else { return }
        CleanMemory.during { runUntilQuiet(request) }
        guard !state.pointee.properties.hasUnsentValues else {
            throw PluginFault("its \"settings\" are too long for its event buffer")
        }
    }

    /// Runs over silence until the plugin has asked for no work in a few runs: what it loads may take several.
    private func runUntilQuiet(_ request: ProcessorRequest) {
        var quietRuns = 0
        for _ in 0..<64 where quietRuns < 4 {
            runOverSilence(request, times: 1)
            quietRuns = state.pointee.isWorking ? 0 : quietRuns + 1
        }
    }

    /// The latency that the plugin tells after some runs over silence, in frames.
    ///
    /// Some plugins need more than one run to tell it. The plugin's state is another one after them.
    func latencyFramesAfterSilence(_ request: ProcessorRequest) -> Int {
        runOverSilence(request, times: Int(SurroundingControls.settlingRuns))
        return ports.control(.latency).map { Int(SurroundingControls.frames(told: $0.pointee)) }
            ?? 0
    }

    private func runOverSilence(_ request: ProcessorRequest, times: Int) {
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
                for _ in 0..<times { state.pointee.run(&block) }
                rt_restore_float_control(control)
            }
        }
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
        CleanMemory.during {
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
