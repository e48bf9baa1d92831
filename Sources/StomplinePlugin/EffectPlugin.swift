internal import CPluginEvents
internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// An effect's kernel with the ports of an LV2 plugin.
///
/// The ports are: one audio input per input channel, one audio output per output channel, the
/// parameters in the order of the effect's description, `enabled`, `latency`, the reports in the
/// order of the description, and the port for events if there is one.
struct EffectPlugin<Kernel: PluginKernel & ~Copyable>: ~Copyable {
    private var kernel: Kernel
    private let inputCount: Int
    private let outputCount: Int
    // SAFETY: the host keeps the memory of each port alive from the connection to the last run.
    private let ports: Buffer<UnsafeMutablePointer<Float>?>
    /// The parameters' values in the kernel.
    private let values: Buffer<Float>
    private var dry: DrySignal
    private let chunk: PluginChunk
    /// The host's MIDI messages and tempo; `nil` without a port for them.
    private var events: EventInput?
    /// Whether the next run is the first one since activation: the controls then apply at once.
    private var isFresh = true

    /// Creates a plugin with as many outputs as inputs, unless `outputCount` says otherwise.
    init(
        _ kernel: consuming Kernel, channelCount: Int, outputCount: Int? = nil, sampleRate: Double,
        receivesEvents: Bool = false
    ) {
        inputCount = channelCount
        self.outputCount = outputCount ?? channelCount
        values = Buffer(Kernel.Parameter.allCases.map { $0.defaultValue })
        ports = Buffer(
            count: inputCount + self.outputCount + values.count + 2 + kernel.reportCount
                + (receivesEvents ? 1 : 0),
            repeating: nil)
        dry = DrySignal(
            channelCount: self.outputCount, latencyFrames: kernel.latencyFrames,
            sampleRate: sampleRate)
        chunk = PluginChunk(inputCount: inputCount, outputCount: self.outputCount)
        events = receivesEvents ? EventInput() : nil
        self.kernel = kernel
    }

    private var firstParameter: Int { inputCount + outputCount }
    private var enabledPort: Int { firstParameter + values.count }

    mutating func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {
        if port < ports.count { ports[Int(port)] = data }
    }

    mutating func setTerms(_ terms: PluginTerms) { events?.setTerms(terms) }

    mutating func activate() { isFresh = true }

    mutating func run(frameCount: Int) {
        let control = rt_float_control()
        rt_flush_denormals()
        readControls()
        // The event port is the last one.
        let port = ports[ports.count - 1]
        let tempo = events?.begin(port, frameCount: frameCount) ?? nil
        if isFresh { begin(tempo) }
        ports[enabledPort + 1]?.pointee = Float(kernel.latencyFrames)
        if isConnected {
            var first = 0
            while first < frameCount {
                let end = readEvents(
                    from: first, until: min(first + PluginChunk.frames, frameCount))
                render(from: first, count: end - first)
                first = end
            }
        }
        if let reports = kernel.reportValues {
            for index in 0..<kernel.reportCount {
                ports[enabledPort + 2 + index]?.pointee = reports[index]
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

    /// Starts from silence, with a tempo at once, if there is one.
    private mutating func begin(_ tempo: Float?) {
        isFresh = false
        if let tempo { kernel.set(RTTargetTempo.rawValue, to: tempo) }
        kernel.reset()
        dry.reset()
    }

    /// Reads the events up to a frame; returns the frame at which the part ends.
    private mutating func readEvents(from first: Int, until end: Int) -> Int {
        // Outside of the optional while the kernel changes: both are in this struct.
        guard var input = events.take() else { return end }
        let end = input.collect(from: first, until: end) { tempo in
            kernel.set(RTTargetTempo.rawValue, to: tempo)
        }
        events = consume input
        return end
    }

    /// Renders a chunk from a copy of its input, because an output may share its memory with any
    /// input.
    private mutating func render(from first: Int, count: Int) {
        for channel in 0..<inputCount {
            guard let input = ports[channel] else { return }
            rt_copy(chunk.input(channel), input + first, Int64(count))
        }
        for channel in 0..<outputCount {
            guard let output = ports[inputCount + channel] else { return }
            chunk.outputs[channel] = output + first
        }
        var block = chunk.block(frameCount: count)
        if events != nil { block.context = events?.blockContext }
        kernel.run(&block)
        for channel in 0..<outputCount {
            // One input belongs to all outputs.
            let input = chunk.input(min(channel, inputCount - 1))
            dry.mix(channel, input, into: chunk.outputs[channel], count: count)
        }
        dry.advance(count)
    }
}
