internal import CLilv
internal import CRealtime
internal import Glibc
public import Processing

extension PluginWorld {
    /// Loads and prepares the plugin.
    ///
    /// It runs whole periods only, in buffers that the engine keeps apart. Where the plugin tells its latency, that
    /// is read from another instance after runs over silence, so that the one that plays starts untouched.
    ///
    /// - Throws: `PluginFault` with the loader's or the plugin's own reason.
    public func makeProcessor(forPlugin uri: String, _ request: ProcessorRequest)
        throws(PluginFault) -> Processor
    {
        let shape = try locked { () throws(PluginFault) in try self.shape(uri) }
        try check(request, against: shape)
        guard request.isolation == .none else { return try makeIsolatedProcessor(shape, request) }
        let start = try startingState(shape, request)
        let (latencyFrames, rehearsal) =
            shape.ports(.latency).isEmpty ? (0, nil) : try rehearse(shape, request, start)
        let instance = try instance(shape, request, start)
        instance.ports.news.pointee.latencyFrames = Int32(clamping: latencyFrames)
        if request.format.isLive { instance.startWorker() }
        if let rehearsal { rehearsals.keep(rehearsal, of: instance, world: self) }
        return Processor(
            state: instance.state, run: runPlugin, set: setPluginParameter, reset: resetPlugin,
            // The owner frees the state, with the plugin itself.
            free: { _ in }, owner: instance, inputCount: request.inputChannels,
            outputCount: request.outputChannels, latencyFrames: latencyFrames, tailFrames: nil,
            gapFrames: Int(Processor.pluginGapSeconds * request.format.sampleRate),
            isSplittable: false, reports: UnsafePointer(instance.ports.reports.baseAddress),
            memory: PluginMemory(instance, self), playsInTime: shape.playsInTime,
            takesBypass: !shape.ports(.enabled).isEmpty,
            news: shape.tellsNews ? UnsafePointer(instance.ports.news) : nil)
    }

    /// An instance as `makeProcessor` makes it, of which nothing is to be played.
    ///
    /// - Throws: `PluginFault` with the loader's or the plugin's own reason.
    func instance(forPlugin uri: String, _ request: ProcessorRequest) throws(PluginFault)
        -> PluginInstance
    {
        let shape = try locked { () throws(PluginFault) in try self.shape(uri) }
        try check(request, against: shape)
        return try instance(shape, request, try startingState(shape, request))
    }

    /// The latency that an instance tells, and the instance where it is better freed later: it has threads to wait for.
    private func rehearse(
        _ shape: PluginShape, _ request: ProcessorRequest, _ start: StartingState
    ) throws(PluginFault) -> (latencyFrames: Int, rehearsal: PluginInstance?) {
        let threadCount = Rehearsals.threadCount
        let instance = try instance(shape, request, start)
        let latencyFrames = instance.latencyFramesAfterSilence(request)
        return (latencyFrames, Rehearsals.threadCount > threadCount ? instance : nil)
    }

    private func instance(
        _ shape: PluginShape, _ request: ProcessorRequest, _ start: StartingState
    ) throws(PluginFault) -> PluginInstance {
        do throws(PluginFault) {
            // Two threads may not look for plugins in one library at once.
            return try locked { () throws(PluginFault) in
                try PluginInstance(shape, request, start, marks)
            }
        } catch {
            throw PluginFault("the plugin \(shape.uri) cannot be used: \(error.message)")
        }
    }

    private func check(_ request: ProcessorRequest, against shape: PluginShape) throws(PluginFault)
    {
        let missing = shape.description.missingFeatures
        guard missing.isEmpty else {
            throw PluginFault(
                "the plugin \(shape.uri) needs what is not offered here: "
                    + missing.joined(separator: ", "))
        }
        let inputs = shape.signalInputs.count
        let outputs = shape.signalOutputs.count
        guard inputs == request.inputChannels, outputs == request.outputChannels else {
            throw PluginFault(
                "the plugin \(shape.uri) has \(inputs) audio inputs and \(outputs) outputs, "
                    + "not \(request.inputChannels) and \(request.outputChannels)")
        }
        guard request.parameters.count == shape.description.parameters.count else {
            throw PluginFault(
                "the plugin \(shape.uri) has \(shape.description.parameters.count) parameters, "
                    + "not \(request.parameters.count)")
        }
        try checkFiles(request, shape)
    }

    /// Every path among the settings must lead to something: plugins go silent over one that does not.
    private func checkFiles(_ request: ProcessorRequest, _ shape: PluginShape) throws(PluginFault) {
        for property in shape.properties where property.isSetting && property.type == .path {
            guard let path = request.settings[property.name]?.text, access(path, R_OK) != 0
            else { continue }
            throw PluginFault("'\(property.name)' names no file that can be read: \(path)")
        }
    }
}

// The functions of a plugin's processor. SAFETY: the state is a `PluginCore`, alive as long as its processor.

@_noLocks
private func runPlugin(state: UnsafeMutableRawPointer, block: UnsafePointer<RTBlock>) {
    state.assumingMemoryBound(to: PluginCore.self).pointee.run(block)
}

@_noLocks
private func setPluginParameter(state: UnsafeMutableRawPointer, parameter: Int32, value: Float) {
    state.assumingMemoryBound(to: PluginCore.self).pointee.set(parameter, to: value)
}

private func resetPlugin(state: UnsafeMutableRawPointer) {
    state.assumingMemoryBound(to: PluginCore.self).pointee.reset()
}
