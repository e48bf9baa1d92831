internal import CCallWatch
internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime

/// A probe of one plugin in this process, which the plugin may end.
struct PluginProbe {
    /// The longest time for each step, in seconds.
    static let timeoutSeconds: UInt32 = 20
    private static let blockFrames = 64
    // A live format: otherwise the calls of the worker would count as calls of the run.
    private static let format = AudioFormat(
        sampleRate: 48_000, maximumBlockFrames: blockFrames, isLive: true)
    /// The number of runs: half with default values, half with parameters that jump end to end.
    private static let runs = 400

    let world: PluginWorld
    let uri: String
    /// Receives each step before it begins.
    let report: (ProbeStep) -> Void

    /// Creates the plugin, runs it on noise, moves its parameters, and frees it.
    func verdict() -> PluginVerdict {
        do {
            begin(.make)
            let verdict = try play()
            alarm(0)
            return verdict
        } catch { return PluginVerdict(.refused(error.message)) }
    }

    private func begin(_ step: ProbeStep) {
        report(step)
        // The signal ends a process whose plugin hangs.
        alarm(Self.timeoutSeconds)
    }

    private func play() throws(PluginError) -> PluginVerdict {
        let description = try world.description(ofPlugin: uri)
        guard case .ports(let inputs, let outputs) = description.channels else {
            throw PluginError("it has no ports")
        }
        let request = ProcessorRequest(
            format: Self.format, inputChannels: inputs.count, outputChannels: outputs.count,
            parameters: description.parameters.map(\.defaultValue))
        let processor = try world.makeProcessor(forPlugin: uri, request)
        var verdict = PluginVerdict(.plays)
        verdict.latencyFrames = processor.latencyFrames
        begin(.run)
        var session = ProbeSession(processor, description.parameters, Self.format)
        for run in 0..<Self.runs {
            if run >= Self.runs / 2 { session.moveParameter(run) }
            session.run()
        }
        verdict.breaches = session.breaches
        verdict.isFinite = session.isFinite
        // The processor is freed after its last use.
        withExtendedLifetime(processor) { begin(.free) }
        return verdict
    }
}

/// A processor that runs on noise, and checks of its output and calls.
private struct ProbeSession: ~Copyable {
    private let processor: Processor
    private let parameters: [ParameterDescription]
    private let sampleRate: Float
    private let inputs: Channels
    private let outputs: Channels
    private var random = NoiseSource()
    /// The number of runs with calls of each kind.
    private var breachedRuns = [0, 0, 0]
    private(set) var isFinite = true

    private static let kinds: [(PluginVerdict.Breach.Kind, CallKind)] = [
        (.memory, CallKindMemory), (.lock, CallKindLock), (.system, CallKindSystem),
    ]

    init(_ processor: Processor, _ parameters: [ParameterDescription], _ format: AudioFormat) {
        self.processor = processor
        self.parameters = parameters
        sampleRate = Float(format.sampleRate)
        inputs = Channels(processor.inputCount, frames: format.maximumBlockFrames)
        outputs = Channels(processor.outputCount, frames: format.maximumBlockFrames)
        call_watch_install()
    }

    /// The calls of the runs that may block or allocate.
    var breaches: [PluginVerdict.Breach] {
        zip(Self.kinds, breachedRuns).compactMap { kind, runs in
            guard runs > 0, let name = call_watch_last(kind.1) else { return nil }
            return .init(kind: kind.0, function: String(cString: name), runs: runs)
        }
    }

    /// Sets a parameter to one of its ends; the number selects the parameter and the end.
    func moveParameter(_ number: Int) {
        guard !parameters.isEmpty else { return }
        let index = number / 2 % parameters.count
        let range = parameters[index].range
        let end = number % 2 == 0 ? range.upperBound : range.lowerBound
        let value = parameters[index].rangeScalesWithRate ? end * sampleRate : end
        processor.kernel.set(Int32(index), to: value)
    }

    /// Renders a block of noise.
    mutating func run() {
        for channel in 0..<inputs.all.count {
            for frame in 0..<inputs.frames { inputs.all[channel][frame] = random.next() }
        }
        var block = RTBlock(
            frameCount: Int32(outputs.frames), inputCount: Int32(inputs.all.count),
            outputCount: Int32(outputs.all.count), inputs: inputs.readable.start,
            outputs: outputs.writable.start)
        let before = Self.kinds.map { call_watch_count($0.1) }
        let control = rt_float_control()
        rt_flush_denormals()
        call_watch_mark(true)
        processor.kernel.run(&block)
        call_watch_mark(false)
        rt_restore_float_control(control)
        for (index, kind) in Self.kinds.enumerated()
        where call_watch_count(kind.1) > before[index] { breachedRuns[index] += 1 }
        isFinite = isFinite && outputs.areFinite
    }
}
