internal import CLilv
internal import Processing
internal import Realtime

/// A plugin's core, its pause and its audio connections, in one piece of memory.
///
/// A run then reads few cache lines.
final class PluginCoreMemory {
    let core: UnsafeMutablePointer<PluginCore>
    private let pause: UnsafeMutablePointer<RunPause>
    private let lines: Buffer<CacheLine>

    /// Allocates the memory, and connects the audio ports to silence and an unused buffer.
    ///
    /// - Parameters:
    ///   - calls: The plugin's functions.
    ///   - log: The plugin's log. It must outlive this object, as must the mark, the worker and the
    ///     ports.
    ///   - mark: The mark that records when the plugin runs.
    ///   - worker: The worker's data; `nil` if the plugin has no worker.
    ///   - shape: The plugin.
    ///   - ports: The memory of the plugin's ports.
    ///   - properties: The plugin's properties.
    ///   - format: The audio format.
    init(
        calls: PluginCalls, log: UnsafeMutablePointer<PluginLog>, mark: CrashMark,
        worker: UnsafeMutablePointer<WorkerCore>?, shape: PluginShape,
        ports: PluginPorts, properties: consuming PropertyCore, format: AudioFormat
    ) {
        let inputs = shape.signalInputs, outputs = shape.signalOutputs
        let connected =
            inputs.map {
                PluginCore.AudioConnection(port: UInt32($0), buffer: ports.silence.start)
            }
            + outputs.map {
                PluginCore.AudioConnection(port: UInt32($0), buffer: ports.discarded.start)
            }
        let pauseOffset = MemoryLayout<PluginCore>.stride
        let connectionOffset = pauseOffset + MemoryLayout<RunPause>.stride
        lines = Buffer(
            byteCount: connectionOffset
                + connected.count * MemoryLayout<PluginCore.AudioConnection>.stride)
        // SAFETY: the three types need an alignment of at most 8, and their strides are multiples
        // of 8.
        let connections = (lines.address + connectionOffset).bindMemory(
            to: PluginCore.AudioConnection.self, capacity: connected.count)
        connections.initialize(from: connected, count: connected.count)
        pause = (lines.address + pauseOffset).bindMemory(to: RunPause.self, capacity: 1)
        pause.initialize(to: RunPause(sampleRate: format.sampleRate))
        core = lines.address.bindMemory(to: PluginCore.self, capacity: 1)
        core.initialize(
            to: PluginCore(
                calls: calls, log: log, mark: mark, worker: worker, properties: properties,
                connections: connections, inputCount: inputs.count, outputCount: outputs.count,
                pause: pause, ports: ports, format: format))
    }

    deinit {
        core.deinitialize(count: 1)
        pause.deinitialize(count: 1)
    }
}
