internal import CCallWatch
internal import CRealtime
internal import Glibc
internal import Processing
internal import Realtime

/// A trial of one plugin in this process with a sound that ends in silence, because denormals arise
/// while a sound dies away.
///
/// Two instances run in step: one protected from denormals, as in the engine, and one without
/// protection, as in a host that sets no flags.
struct DenormalProbe {
    private static let blockFrames = 64
    private static let sampleRate = 48_000.0
    // Not live, so that the plugin has its files before the first run.
    private static let format = AudioFormat(
        sampleRate: sampleRate, maximumBlockFrames: blockFrames, isLive: false)
    /// The length of the sound, in blocks: half a second.
    private static let soundBlocks = 375
    /// The length of sound and silence, in blocks: half a minute.
    private static let allBlocks = 22_500
    /// The number of runs with denormals that are enough to compare their durations.
    private static let enoughRuns = 1000
    /// The processor time after which a slow plugin is tried no longer, in seconds.
    private static let longestSeconds = 4
    /// The longest time for the runs on a busy machine, in seconds; a plugin that needs more is not
    /// tried to the end.
    private static let longestRunSeconds: UInt64 = 120

    let world: PluginWorld
    let uri: String
    /// The values, the settings and the tempo; without values, parameters have their default values.
    let request: ProcessorRequest
    /// Receives each step before it begins.
    let report: (ProbeStep) -> Void

    /// Runs the plugin; `nil` if it cannot be tried.
    func verdict() -> DenormalVerdict? {
        guard float_watch_is_possible() else { return nil }
        defer { alarm(0) }
        return try? play()
    }

    private func begin(_ step: ProbeStep) {
        report(step)
        // The signal ends a process whose plugin hangs.
        alarm(PluginProbe.timeoutSeconds)
    }

    /// The processor time of this thread, in whole seconds.
    private static var processorSeconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec
    }

    private func play() throws(PluginError) -> DenormalVerdict {
        begin(.make)
        var pair = DenormalPair(
            protected: try instance(), free: try instance(), frames: Self.blockFrames)
        begin(.run)
        let end = Self.processorSeconds + Self.longestSeconds
        let deadline = rt_nanoseconds() + Self.longestRunSeconds * 1_000_000_000
        var first: Int?
        for block in 0..<Self.allBlocks {
            // Each block has its own time limit, so a plugin that hangs is noticed soon.
            alarm(PluginProbe.timeoutSeconds)
            pair.run(block, of: Self.soundBlocks)
            guard rt_nanoseconds() < deadline else { throw PluginError("its runs take too long") }
            if pair.durations.count == 1, first == nil { first = block }
            if pair.durations.count == Self.enoughRuns || Self.processorSeconds >= end { break }
        }
        begin(.free)
        return DenormalVerdict(
            arising: first.map { block in
                .init(
                    seconds: Double(max(0, block - Self.soundBlocks) * Self.blockFrames)
                        / Self.sampleRate,
                    slowdown: pair.slowdown)
            }, protection: pair.protection)
    }

    private func instance() throws(PluginError) -> Processor {
        let description = try world.description(ofPlugin: uri)
        guard case .ports(let inputs, let outputs) = description.channels else {
            throw PluginError("it has no ports")
        }
        let values = request.parameters
        let processor = try world.makeProcessor(
            forPlugin: uri,
            ProcessorRequest(
                format: Self.format, inputChannels: inputs.count, outputChannels: outputs.count,
                parameters: values.isEmpty ? description.parameters.map(\.defaultValue) : values,
                settings: request.settings, tempo: request.tempo))
        guard let memory = processor.memory as? PluginMemory else {
            throw PluginError("its run cannot be watched")
        }
        memory.watchRuns()
        return processor
    }
}

/// Two instances of a plugin, of which one is protected from denormals.
private struct DenormalPair: ~Copyable {
    private let protected: Processor
    private let free: Processor
    private let inputs: Channels
    private let outputs: Channels
    private var random = NoiseSource()
    private let noteOn = Buffer<UInt8>([0x90, 60, 96])
    private let noteOff = Buffer<UInt8>([0x80, 60, 0])
    /// The duration of each run with denormals, with and without protection, in ns.
    private(set) var durations: [(protected: UInt64, free: UInt64)] = []
    private(set) var protection = DenormalVerdict.Protection.kept

    init(protected: Processor, free: Processor, frames: Int) {
        (self.protected, self.free) = (protected, free)
        inputs = Channels(free.inputCount, frames: frames)
        outputs = Channels(free.outputCount, frames: frames)
    }

    /// The duration of a run with denormals as a multiple of its duration with protection.
    ///
    /// Medians, because other programs interrupt some runs.
    var slowdown: Double {
        func median(_ values: [UInt64]) -> Double { Double(values.sorted()[values.count / 2]) }
        guard !durations.isEmpty else { return 1 }
        return median(durations.map(\.free)) / max(1, median(durations.map(\.protected)))
    }

    /// Runs both instances on a block, which has sound if its index is less than the number of
    /// blocks with sound.
    mutating func run(_ index: Int, of soundBlocks: Int) {
        for channel in 0..<inputs.all.count {
            for frame in 0..<inputs.frames {
                inputs.all[channel][frame] = index < soundBlocks ? random.next() : 0
            }
        }
        let note: UnsafePointer<UInt8>? =
            switch index {
            case 0: UnsafePointer(noteOn.start)
            case soundBlocks: UnsafePointer(noteOff.start)
            default: nil
            }
        let kept = run(protected, isProtected: true, note)
        if kept.metDenormals || kept.endedUnprotected {
            protection = .disabled
        } else if kept.changedFlags, protection == .kept {
            protection = .changed
        }
        let run = run(free, isProtected: false, note)
        let outputsDenormals = (0..<outputs.all.count).contains {
            float_watch_has_denormals(outputs.all[$0].start, UInt64(outputs.frames))
        }
        if run.metDenormals || outputsDenormals {
            durations.append((kept.nanoseconds, run.nanoseconds))
        }
    }

    private func run(
        _ processor: Processor, isProtected: Bool, _ note: UnsafePointer<UInt8>?
    ) -> FloatRun {
        var block = RTBlock(
            frameCount: Int32(clamping: outputs.frames),
            inputCount: Int32(clamping: inputs.all.count),
            outputCount: Int32(clamping: outputs.all.count), inputs: inputs.readable.start,
            outputs: outputs.writable.start)
        float_watch_prepare(isProtected)
        guard let note, processor.usesMIDIOrTransport else {
            processor.kernel.run(&block)
            return float_watch_last()
        }
        var transport = RTTransport()
        var message = RTMessage(frame: 0, byteCount: 3, bytes: note)
        withUnsafePointer(to: &transport) { transport in
            withUnsafePointer(to: &message) { message in
                var context = RTContext(
                    messages: RTMessages(first: message, count: 1, startFrame: 0),
                    sink: RTMessageSink(), transport: transport)
                withUnsafePointer(to: &context) { context in
                    block.context = context
                    processor.kernel.run(&block)
                }
            }
        }
        return float_watch_last()
    }
}
