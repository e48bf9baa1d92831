internal import CLilv
internal import CRealtime
internal import Glibc
public import Processing
internal import Realtime
internal import Platform

extension PluginWorld {
    /// Loads and prepares a plugin.
    ///
    /// The plugin only runs whole cycles, in buffers that do not overlap. If it reports its
    /// latency, the latency is read from a separate instance after runs over silence, so that the
    /// instance that plays starts in its initial state.
    ///
    /// - Throws: `PluginError` with the loader's or the plugin's own reason.
    public func makeProcessor(forPlugin uri: String, _ request: ProcessorRequest)
        throws(PluginError) -> Processor
    {
        let shape = try locked { () throws(PluginError) in try self.shape(uri) }
        try check(request, against: shape)
        guard request.isolation == .none else { return try makeIsolatedProcessor(shape, request) }
        let start = try startingState(shape, request)
        let (latencyFrames, trialInstance) =
            shape.ports(.latency).isEmpty ? (0, nil) : try makeTrialInstance(shape, request, start)
        let instance = try instance(shape, request, start)
        instance.ports.status[0].latencyFrames = Int32(clamping: latencyFrames)
        if request.format.isLive { instance.startWorker() }
        if let trialInstance { trialInstances.keep(trialInstance, of: instance, world: self) }
        return Processor(
            plugin: instance.state, owner: instance, inputCount: request.inputChannels,
            outputCount: request.outputChannels,
            gapFrames: Int(Processor.pluginGapSeconds * request.format.sampleRate),
            reports: UnsafePointer(instance.ports.reports.start),
            memory: PluginMemory(instance, self), usesMIDIOrTransport: shape.usesMIDIOrTransport,
            receivesBypass: !shape.ports(.enabled).isEmpty,
            status: shape.reportsStatus ? UnsafePointer(instance.ports.status.start) : nil,
            missedOutput: instance.exit.missedOutput,
            incidents: IncidentLog { [exit = instance.exit] in exit.popIncident() })
    }

    /// Creates an instance like `makeProcessor`, but without a processor.
    ///
    /// - Throws: `PluginError` with the loader's or the plugin's own reason.
    func instance(forPlugin uri: String, _ request: ProcessorRequest) throws(PluginError)
        -> PluginInstance
    {
        let shape = try locked { () throws(PluginError) in try self.shape(uri) }
        try check(request, against: shape)
        return try instance(shape, request, try startingState(shape, request))
    }

    /// Determines the plugin's latency with a separate instance.
    ///
    /// - Returns: The latency in frames, and the instance if it should be freed later because it
    ///   has started threads.
    private func makeTrialInstance(
        _ shape: PluginShape, _ request: ProcessorRequest, _ start: StartingState
    ) throws(PluginError) -> (latencyFrames: Int, trialInstance: PluginInstance?) {
        let threadCount = TrialInstances.threadCount
        let instance = try instance(shape, request, start)
        let latencyFrames = instance.latencyFramesAfterSilence(request)
        do throws(PluginError) { try instance.checkPresence() } catch {
            throw PluginError("the plugin \(shape.uri) cannot be used: \(error.message)")
        }
        return (latencyFrames, TrialInstances.threadCount > threadCount ? instance : nil)
    }

    private func instance(
        _ shape: PluginShape, _ request: ProcessorRequest, _ start: StartingState
    ) throws(PluginError) -> PluginInstance {
        do throws(PluginError) {
            // Two threads must not search the same library for plugins at the same time.
            return try locked { () throws(PluginError) in
                let create = { [marks] () throws(PluginError) -> PluginInstance in
                    try PrintSource.during(shape.description.label) { () throws(PluginError) in
                        try PluginInstance(shape, request, start, marks)
                    }
                }
                guard let creator else { return try create() }
                return try creator.create(shape, create)
            }
        } catch {
            throw PluginError("the plugin \(shape.uri) cannot be used: \(error.message)")
        }
    }

    private func check(_ request: ProcessorRequest, against shape: PluginShape) throws(PluginError)
    {
        let missing = shape.description.missingFeatures
        guard missing.isEmpty else {
            throw PluginError(
                "the plugin \(shape.uri) requires features that are not supported: "
                    + missing.joined(separator: ", "))
        }
        let inputs = shape.signalInputs.count
        let outputs = shape.signalOutputs.count
        guard inputs == request.inputChannels, outputs == request.outputChannels else {
            throw PluginError(
                "the plugin \(shape.uri) has \(inputs) audio inputs and \(outputs) outputs, "
                    + "not \(request.inputChannels) and \(request.outputChannels)")
        }
        guard request.parameters.count == shape.description.parameters.count else {
            throw PluginError(
                "the plugin \(shape.uri) has \(shape.description.parameters.count) parameters, "
                    + "not \(request.parameters.count)")
        }
        try checkFiles(request, shape)
    }

    /// Checks that each path among the settings is readable; plugins become silent otherwise.
    private func checkFiles(_ request: ProcessorRequest, _ shape: PluginShape) throws(PluginError) {
        for property in shape.properties where property.isSetting && property.type == .path {
            guard let path = request.settings[property.name]?.text, access(path, R_OK) != 0
            else { continue }
            throw PluginError("'\(property.name)' names a file that cannot be read: \(path)")
        }
    }
}
