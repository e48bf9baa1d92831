internal import CLilv
internal import CRealtime
internal import Processing
internal import Realtime
internal import Platform

/// One loaded and activated plugin, with all the memory that it is connected to.
///
/// It must be created and freed off the audio thread.
final class PluginInstance {
    /// The data that the audio thread uses.
    var state: UnsafeMutablePointer<PluginCore> { coreMemory.core }
    private let coreMemory: PluginCoreMemory
    let ports: PluginPorts
    let shape: PluginShape
    let features: PluginFeatures
    let files = PluginFiles()
    /// The instance that determined this one's latency, until it is freed; see `TrialInstances`.
    var trialInstance: PluginInstance?
    private let descriptor: UnsafePointer<LV2_Descriptor>
    private let messages: PluginMessages
    private let worker = PluginWorker()
    private let reserved: ReservedMark
    let exit = ExitRecord()

    /// Loads and activates a plugin in its starting state.
    ///
    /// Its worker initially works synchronously; `startWorker` starts a thread for it.
    ///
    /// - Throws: `PluginError` with the loader's reason, or if the plugin returns no instance.
    init(
        _ shape: PluginShape, _ request: ProcessorRequest, _ start: StartingState,
        _ marks: CrashMarks
    ) throws(PluginError) {
        reserved = ReservedMark(marks, shape.uri)
        let mark = reserved.mark
        let library = try PluginLibrary(path: shape.libraryPath)
        let messages = PluginMessages(name: shape.description.label)
        let features = PluginFeatures(
            request.format, log: messages.log, worker: worker, files: files,
            loadsDefaultState: shape.loadsDefaultState)
        descriptor = try library.descriptor(of: shape, features)
        let calls = try PluginCalls(
            instantiating: descriptor, sampleRate: request.format.sampleRate,
            bundlePath: shape.bundlePath, features, mark, exit)
        worker.connect(descriptor, calls.handle, mark, exit)
        Self.settleOptions(features, of: descriptor, calls.handle, messages)
        ports = PluginPorts(shape, request)
        ports.forEachConnection { plugin_connect(calls, $0, $1) }
        coreMemory = PluginCoreMemory(
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
        try checkPresence()
    }

    /// Checks that the plugin has not called `exit`.
    ///
    /// - Throws: `PluginError` if it has.
    func checkPresence() throws(PluginError) {
        if let reason = exit.reason { throw PluginError(reason) }
    }

    deinit {
        guard worker.end() else { return leave("its worker has not stopped") }
        let calls = state.pointee.calls
        PrintSource.during(shape.description.label) {
            reserved.mark.during(.deactivate) { plugin_deactivate(calls) }
            reserved.mark.during(.cleanup) { plugin_cleanup(calls) }
        }
        // Threads that the plugin started, for example, may still use its memory.
        if let reason = exit.reason { return leave(reason) }
    }

    /// Sets the options through the plugin's options interface, and logs the options that it
    /// rejects.
    private static func settleOptions(
        _ features: PluginFeatures, of descriptor: UnsafePointer<LV2_Descriptor>,
        _ handle: LV2_Handle, _ messages: PluginMessages
    ) {
        guard let interface = OptionsInterface(descriptor, handle) else { return }
        for option in interface.settle(features.options) {
            messages.say("it uses another value for the option \(Namespace.shortened(option))")
        }
    }

    /// The instance in lilv's representation.
    var lilvInstance: LilvInstance {
        LilvInstance(
            lv2_descriptor: descriptor, lv2_handle: state.pointee.calls.handle, pimpl: nil)
    }

    /// Whether the plugin can save a state beyond its control values.
    var hasOwnState: Bool {
        descriptor.pointee.extension_data?(Namespace.state("interface")) != nil
    }

    /// Restores the properties of a state without its control values.
    func restore(_ saved: PluginState) {
        PrintSource.during(shape.description.label) {
            reserved.mark.during(.restore) { saved.restore(to: lilvInstance, features) }
        }
    }

    /// Runs a body in which the plugin saves its state.
    func saving<Value>(_ body: () -> Value) -> Value {
        PrintSource.during(shape.description.label) { reserved.mark.during(.save, body) }
    }

    /// Starts a thread for the worker, so that no run waits for it.
    func startWorker() { worker.start() }

    /// Keeps a plugin whose code may still run, together with its resources, until the program
    /// ends.
    private func leave(_ reason: String) {
        messages.say(reason + "; its memory is not freed")
        let parts: [AnyObject] = [
            coreMemory, ports, features, files, messages, worker, reserved, exit,
        ]
        for part in parts { _ = Unmanaged.passRetained(part) }
    }

    // MARK: Before the first audible run

    /// Sends the node's properties to the plugin, and runs it until it has processed them.
    ///
    /// - Throws: `PluginError` if a text is too long for the plugin's event buffer.
    private func settle(_ request: ProcessorRequest, _ start: StartingState) throws(PluginError) {
        let isRequested = start.changesPlugin || state.pointee.properties.hasUnsentValues
        guard isRequested else { return }
        CleanMemory.during { runUntilQuiet(request) }
        guard !state.pointee.properties.hasUnsentValues else {
            throw PluginError("its \"settings\" are too long for its event buffer")
        }
    }

    /// Runs over silence until four runs in a row request no work; loading may take several runs.
    private func runUntilQuiet(_ request: ProcessorRequest) {
        var quietRuns = 0
        for _ in 0..<64 where quietRuns < 4 {
            runOverSilence(request, times: 1)
            quietRuns = state.pointee.isWorking ? 0 : quietRuns + 1
        }
    }

    /// Returns the latency that the plugin reports after some runs over silence, in frames.
    ///
    /// Some plugins need more than one run to report it. These runs change the plugin's state.
    func latencyFramesAfterSilence(_ request: ProcessorRequest) -> Int {
        runOverSilence(request, times: Int(ContextControls.settlingRuns))
        return ports.control(.latency).map { Int(ContextControls.frames(reported: $0.pointee)) }
            ?? 0
    }

    private func runOverSilence(_ request: ProcessorRequest, times: Int) {
        // One extra element, so that the list of a plugin without inputs or outputs is not empty.
        let inputs = [UnsafePointer<Float>](
            repeating: UnsafePointer(ports.silence.start), count: request.inputChannels + 1)
        let outputs = [UnsafeMutablePointer<Float>](
            repeating: ports.discarded.start, count: request.outputChannels + 1)
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
    /// Creates an instance of a plugin.
    ///
    /// - Throws: `PluginError` if the plugin returns none, or lacks a required function.
    fileprivate init(
        instantiating descriptor: UnsafePointer<LV2_Descriptor>, sampleRate: Double,
        bundlePath: String, _ features: PluginFeatures, _ mark: CrashMark, _ exit: ExitRecord
    ) throws(PluginError) {
        let functions = descriptor.pointee
        guard functions.instantiate != nil, let run = functions.run,
            let connect = functions.connect_port
        else { throw PluginError("the plugin lacks a required function") }
        var made: LV2_Handle?
        CleanMemory.during {
            mark.during(.instantiate) {
                made = plugin_instantiate(
                    exit.record, descriptor, sampleRate, bundlePath, features.list.start)
            }
        }
        if let reason = exit.reason { throw PluginError(reason) }
        guard let handle = made else {
            throw PluginError("the plugin returns no instance")
        }
        self.init(
            handle: handle, run: run, connect: connect, activate: functions.activate,
            deactivate: functions.deactivate, cleanup: functions.cleanup, record: exit.record)
    }
}
