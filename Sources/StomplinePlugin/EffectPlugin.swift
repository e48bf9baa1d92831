internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// An effect's kernel with the ports of an LV2 plugin.
///
/// The ports are: one audio input per channel, one audio output per channel, the parameters in the
/// order of the effect's description, `enabled`, and `latency`.
struct EffectPlugin<Kernel: PluginKernel & ~Copyable>: ~Copyable {
    private var kernel: Kernel
    private let channelCount: Int
    // SAFETY: the host keeps the memory of each port alive from the connection to the last run.
    private let ports: Buffer<UnsafeMutablePointer<Float>?>
    /// The parameters' values in the kernel.
    private let values: Buffer<Float>
    private var dry: DrySignal
    private let chunk: PluginChunk
    /// Whether the next run is the first one since activation: the controls then apply at once.
    private var isFresh = true

    init(_ kernel: consuming Kernel, channelCount: Int, sampleRate: Double) {
        self.channelCount = channelCount
        values = Buffer(Kernel.Parameter.allCases.map { $0.defaultValue })
        ports = Buffer(count: 2 * channelCount + values.count + 2, repeating: nil)
        dry = DrySignal(
            channelCount: channelCount, latencyFrames: kernel.latencyFrames, sampleRate: sampleRate)
        chunk = PluginChunk(channelCount: channelCount)
        self.kernel = kernel
    }

    private var firstParameter: Int { 2 * channelCount }
    private var enabledPort: Int { 2 * channelCount + values.count }

    mutating func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {
        if port < ports.count { ports[Int(port)] = data }
    }

    mutating func activate() { isFresh = true }

    mutating func run(frameCount: Int) {
        let control = rt_float_control()
        rt_flush_denormals()
        readControls()
        if isFresh { begin() }
        ports[enabledPort + 1]?.pointee = Float(kernel.latencyFrames)
        if isConnected {
            var first = 0
            while first < frameCount {
                let count = min(PluginChunk.frames, frameCount - first)
                render(from: first, count: count)
                first += count
            }
        }
        rt_restore_float_control(control)
    }

    private var isConnected: Bool {
        for port in 0..<firstParameter where ports[port] == nil { return false }
        return true
    }

    private mutating func readControls() {
        for index in 0..<values.count {
            guard let parameter = Kernel.Parameter(rawValue: Int32(index)) else { continue }
            let value = parameter.limited(ports[firstParameter + index]?.pointee)
            guard value != values[index] else { continue }
            values[index] = value
            kernel.set(parameter.rawValue, to: value)
        }
        dry.setAudible((ports[enabledPort]?.pointee ?? 1) <= 0)
    }

    private mutating func begin() {
        isFresh = false
        kernel.reset()
        dry.reset()
    }

    /// Renders a chunk from a copy of its input, because an output may share its memory with any
    /// input.
    private mutating func render(from first: Int, count: Int) {
        for channel in 0..<channelCount {
            guard let input = ports[channel], let output = ports[channelCount + channel] else {
                return
            }
            rt_copy(chunk.input(channel), input + first, Int64(count))
            chunk.outputs[channel] = output + first
        }
        var block = chunk.block(frameCount: count)
        kernel.run(&block)
        for channel in 0..<channelCount {
            dry.mix(channel, chunk.input(channel), into: chunk.outputs[channel], count: count)
        }
        dry.advance(count)
    }
}
