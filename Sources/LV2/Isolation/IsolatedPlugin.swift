internal import CRealtime
internal import Processing
internal import Synchronization

/// A plugin that plays in a process of its own, with all that our side of it needs.
///
/// It is made and freed off the audio thread.
final class IsolatedPlugin {
    /// What the audio thread acts on.
    let state: UnsafeMutablePointer<IsolatedCore>
    let memory: IsolatedMemory
    let incidents = IncidentLog()
    /// How late the plugin is with the way there and back, in frames.
    let latencyFrames: Int
    private let guardian: PluginGuardian
    private let shape: PluginShape
    private let world: PluginWorld

    /// Starts a process and has it make the plugin.
    ///
    /// - Throws: `PluginFault` with the plugin's own reason.
    init(_ program: String, _ wish: HostRequest, _ shape: PluginShape, _ world: PluginWorld)
        throws(PluginFault)
    {
        (self.shape, self.world) = (shape, world)
        let request = wish.request
        let reportCount = shape.description.reports.count
        memory = IsolatedMemory(
            parameters: request.parameters, reportCount: reportCount,
            messageBytes: shape.playsInTime ? IsolatedTraffic.ringBytes : 0)
        let block = request.format.maximumBlockFrames
        var ringFrames = 64
        while ringFrames < IsolatedCore.backlogFrames(blockFrames: block) + 2 * block {
            ringFrames *= 2
        }
        let size = PluginShare.Size(
            inputCount: request.inputChannels, outputCount: request.outputChannels,
            ringFrames: ringFrames, reportCount: reportCount,
            messageBytes: memory.messageBytes, requestBytes: 0)
        guardian = try PluginGuardian(program, wish, size, memory, incidents)
        let share = guardian.firstShare
        state = .allocate(capacity: 1)
        state.initialize(to: IsolatedCore(memory, request, share: share))
        let own = Int(share.pointee.latencyFrames.pointee.load(ordering: .relaxed))
        latencyFrames = own + state.pointee.delayFrames
        memory.news.pointee.latencyFrames = Int32(clamping: latencyFrames)
    }

    deinit {
        // First the thread that hands memory over, then what it handed over last.
        guardian.stop()
        HostProcess.free(state.pointee.currentShare)
        state.deallocate()
    }
}

extension IsolatedPlugin: ProcessorMemory {
    /// The state as the plugin's process tells it.
    ///
    /// - Throws: `PluginFault` where it cannot be asked, or takes ten seconds.
    func savedState() throws(PluginFault) -> String { try guardian.carryOut(.save) }

    /// Brings the plugin into a saved state, where it is.
    ///
    /// - Parameters:
    ///   - text: What `savedState` gave.
    ///   - isPlaying: Whether the audio thread runs the processor at present.
    /// - Throws: `PluginFault` with the plugin's own reason.
    func restore(_ text: String, isPlaying: Bool) throws(PluginFault) {
        _ = try guardian.carryOut(isPlaying ? .restorePlaying : .restore, text)
        guard !isPlaying else { return }
        // A process that is started later shall have them as well.
        let values = try world.portValues(ofState: text)
        for (place, port) in shape.ports(.parameter).enumerated() {
            if let value = values[shape.ports[port].symbol], value.isFinite {
                memory.take(value, at: place)
            }
        }
    }
}

extension PluginWorld {
    /// Has a process of its own play the plugin.
    ///
    /// - Throws: `PluginFault` with the plugin's own reason.
    func makeIsolatedProcessor(_ shape: PluginShape, _ request: ProcessorRequest)
        throws(PluginFault) -> Processor
    {
        guard let hostProgram else {
            throw PluginFault("the plugin \(shape.uri) cannot have a process of its own here")
        }
        let plugin: IsolatedPlugin
        do throws(PluginFault) {
            plugin = try IsolatedPlugin(
                hostProgram,
                HostRequest(uri: shape.uri, bundleFolders: bundleFolders, request: request),
                shape, self)
        } catch {
            // The process names the plugin itself where it is the plugin that refuses.
            let isNamed = error.message.hasPrefix("the plugin \(shape.uri)")
            throw isNamed
                ? error : PluginFault("the plugin \(shape.uri) cannot be used: \(error.message)")
        }
        return Processor(
            state: plugin.state, run: runIsolated, set: setIsolated, reset: resetIsolated,
            // The owner frees the state, with the process.
            free: { _ in }, owner: plugin, inputCount: request.inputChannels,
            outputCount: request.outputChannels, latencyFrames: plugin.latencyFrames,
            tailFrames: nil,
            gapFrames: Int(Processor.pluginGapSeconds * request.format.sampleRate),
            isSplittable: false, reports: UnsafePointer(plugin.memory.reports),
            memory: plugin, playsInTime: shape.playsInTime,
            takesBypass: !shape.ports(.enabled).isEmpty,
            news: shape.tellsNews ? UnsafePointer(plugin.memory.news) : nil,
            absence: UnsafePointer(plugin.memory.absence), incidents: plugin.incidents)
    }
}

// The functions of the processor. SAFETY: the state is an `IsolatedCore`, alive as long as its processor.

@_noLocks
private func runIsolated(state: UnsafeMutableRawPointer, block: UnsafePointer<RTBlock>) {
    state.assumingMemoryBound(to: IsolatedCore.self).pointee.run(block)
}

@_noLocks
private func setIsolated(state: UnsafeMutableRawPointer, parameter: Int32, value: Float) {
    state.assumingMemoryBound(to: IsolatedCore.self).pointee.set(parameter, to: value)
}

private func resetIsolated(state: UnsafeMutableRawPointer) {
    state.assumingMemoryBound(to: IsolatedCore.self).pointee.reset()
}
