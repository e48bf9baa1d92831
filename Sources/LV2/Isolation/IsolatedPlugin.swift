internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// A plugin that runs in its own process, with everything that this process needs for it.
///
/// It must be created and freed off the audio thread.
final class IsolatedPlugin {
    /// The data that the audio thread uses.
    let state: Buffer<IsolatedCore>
    let memory: IsolatedMemory
    let incidents = IncidentLog()
    private let guardian: PluginGuardian
    private let shape: PluginShape
    private let world: PluginWorld

    /// Starts a process, which creates the plugin.
    ///
    /// - Throws: `PluginError` with the plugin's own reason.
    init(_ program: String, _ hostRequest: HostRequest, _ shape: PluginShape, _ world: PluginWorld)
        throws(PluginError)
    {
        (self.shape, self.world) = (shape, world)
        let request = hostRequest.request
        let reportCount = shape.description.reports.count
        memory = IsolatedMemory(
            parameters: request.parameters,
            isTrigger: request.parameters.indices.map {
                let parameters = shape.description.parameters
                return parameters.indices.contains($0) && parameters[$0].isTrigger
            }, reportCount: reportCount,
            messageBytes: shape.usesMIDIOrTransport ? IsolatedTraffic.ringBytes : 0)
        let block = request.format.maximumBlockFrames
        var ringFrames = 64
        while ringFrames < IsolatedCore.backlogFrames(blockFrames: block) + 2 * block {
            ringFrames *= 2
        }
        let size = PluginShare.Size(
            inputCount: request.inputChannels, outputCount: request.outputChannels,
            ringFrames: ringFrames, reportCount: reportCount,
            messageBytes: memory.messageBytes, requestBytes: 0)
        guardian = try PluginGuardian(
            program, hostRequest, size, memory, incidents, world.hungPlugins)
        let share = guardian.firstShare
        state = Buffer(count: 1, repeating: IsolatedCore(memory, request, share: share))
        memory.status[0].latencyFrames = Int32(
            clamping: Int(share.pointee.reportedLatencyFrames) + state[0].delayFrames)
    }

    // The guardian frees the memory that it handed over last after its thread has ended.
    deinit { guardian.stop() }
}

extension IsolatedPlugin: ProcessorMemory {
    /// Returns the state that the plugin's process reports.
    ///
    /// - Throws: `PluginError` if the process cannot be asked, or does not answer in ten seconds.
    func savedState() throws(PluginError) -> String { try guardian.carryOut(.save) }

    /// Restores a saved state in the plugin's process.
    ///
    /// - Parameters:
    ///   - text: The result of `savedState`.
    ///   - isPlaying: Whether the audio thread currently runs the processor.
    /// - Throws: `PluginError` with the plugin's own reason.
    func restore(_ text: String, isPlaying: Bool) throws(PluginError) {
        _ = try guardian.carryOut(isPlaying ? .restorePlaying : .restore, text)
        guard !isPlaying else { return }
        // A process that is started later must get these values as well.
        let values = try world.portValues(ofState: text)
        for (index, port) in shape.ports(.parameter).enumerated()
        where !memory.isTrigger[index] {
            if let value = values[shape.ports[port].symbol], value.isFinite {
                memory.store(value, at: index)
            }
        }
    }
}

extension PluginWorld {
    /// Creates a processor that runs the plugin in its own process.
    ///
    /// - Throws: `PluginError` with the plugin's own reason.
    func makeIsolatedProcessor(_ shape: PluginShape, _ request: ProcessorRequest)
        throws(PluginError) -> Processor
    {
        guard let hostProgram else {
            throw PluginError("the plugin \(shape.uri) cannot run in its own process here")
        }
        if let hungPlugins, hungPlugins.contains(shape.uri) {
            throw PluginError(
                "the plugin \(shape.uri) cannot be used: its process hung before, so it is not "
                    + "started again")
        }
        let plugin: IsolatedPlugin
        do throws(PluginError) {
            plugin = try IsolatedPlugin(
                hostProgram,
                HostRequest(
                    uri: shape.uri, name: shape.description.label, bundleFolders: bundleFolders,
                    request: request),
                shape, self)
        } catch {
            // If the plugin itself refuses, the error of the process already names it.
            let isNamed = error.message.hasPrefix("the plugin \(shape.uri)")
            throw isNamed
                ? error : PluginError("the plugin \(shape.uri) cannot be used: \(error.message)")
        }
        return Processor(
            plugin: plugin.state.start, owner: plugin, inputCount: request.inputChannels,
            outputCount: request.outputChannels,
            gapFrames: Int(Processor.pluginGapSeconds * request.format.sampleRate),
            reports: UnsafePointer(plugin.memory.reports.start), memory: plugin,
            usesMIDIOrTransport: shape.usesMIDIOrTransport,
            receivesBypass: !shape.ports(.enabled).isEmpty,
            status: shape.reportsStatus ? UnsafePointer(plugin.memory.status.start) : nil,
            missedOutput: UnsafePointer(plugin.memory.missedOutput.start),
            incidents: plugin.incidents)
    }
}
