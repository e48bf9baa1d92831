internal import CRealtime
internal import DSP
internal import Realtime

/// An effect's kernel with LV2's ports around it.
///
/// Ports: audio in for each channel, audio out for each channel, the parameters in the order of the effect's description,
/// `enabled`, `latency`.
struct EffectPlugin<Kernel: PluginKernel & ~Copyable>: ~Copyable {
    private var kernel: Kernel
    private let channelCount: Int
    // SAFETY: the host keeps each port's place alive from its connection to the last run.
    private let ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    /// What the kernel was last told.
    private let values: UnsafeMutablePointer<Float>
    private var dry: DrySignal
    private let chunk: PluginChunk
    /// Whether the next run is the first one since activation: then the controls hold at once.
    private var isFresh = true

    init(_ kernel: consuming Kernel, channelCount: Int, sampleRate: Double) {
        self.channelCount = channelCount
        let portCount = 2 * channelCount + Kernel.parameterCount + 2
        ports = .allocate(capacity: portCount)
        ports.initialize(repeating: nil, count: portCount)
        values = .allocate(capacity: Kernel.parameterCount)
        for index in 0..<Kernel.parameterCount {
            (values + index).initialize(to: Kernel.range(ofParameter: index).defaultValue)
        }
        dry = DrySignal(
            channelCount: channelCount, latencyFrames: kernel.latencyFrames, sampleRate: sampleRate)
        chunk = PluginChunk(channelCount: channelCount)
        self.kernel = kernel
    }

    deinit {
        ports.deallocate()
        values.deallocate()
        dry.deallocate()
        chunk.deallocate()
    }

    private var firstParameter: Int { 2 * channelCount }
    private var enabledPort: Int { 2 * channelCount + Kernel.parameterCount }

    mutating func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {
        if port < enabledPort + 2 { ports[Int(port)] = data }
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
        for index in 0..<Kernel.parameterCount {
            let value = Kernel.range(ofParameter: index).held(
                ports[firstParameter + index]?.pointee)
            guard value != values[index] else { continue }
            values[index] = value
            kernel.set(Int32(index), to: value)
        }
        dry.setAudible((ports[enabledPort]?.pointee ?? 1) <= 0)
    }

    private mutating func begin() {
        isFresh = false
        kernel.reset()
        dry.reset()
    }

    /// Renders a chunk from a copy of its input, so that outputs may be where any inputs are.
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
