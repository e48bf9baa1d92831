internal import CRealtime
internal import Processing
internal import Realtime

/// The input monitor: a processor, such as a tuner, that receives one of the engine's inputs in
/// addition to the running schedules.
struct InputMonitor: BitwiseCopyable {
    /// The slot of the monitored input; -1 if the monitor is off.
    private(set) var slot = -1
    private let kernel: KernelReference?
    private let reports: UnsafePointer<Float>?
    private let reportCount: Int
    private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Creates an input monitor that is off.
    ///
    /// - Parameters:
    ///   - processor: A processor with one channel; it must outlive the engine.
    ///   - maximumFrames: The maximum number of frames per piece.
    ///   - arena: The arena for the monitor's memory.
    init(_ processor: Processor?, maximumFrames: Int, arena: Arena) {
        let discarded = arena.samples(maximumFrames)
        kernel = processor?.kernel
        reports = processor?.reports
        reportCount = processor?.reports == nil ? 0 : Self.reportedValues
        inputs = arena.allocate(1, UnsafePointer(discarded))
        outputs = arena.allocate(1, discarded)
    }

    /// Only the first reported value, the pitch of a tuner, is used.
    private static let reportedValues = 1

    var isListening: Bool { @_noLocks get { slot >= 0 && kernel != nil } }

    @_noLocks
    mutating func listen(slot newSlot: Int) {
        slot = newSlot < EnginePorts.maximumChannels ? newSlot : -1
    }

    /// Runs the processor on a piece; its output is discarded.
    @_noLocks
    func run(_ samples: UnsafePointer<Float>, _ frames: Int) {
        guard let kernel else { return }
        inputs[0] = samples
        var block = RTBlock(
            frameCount: Int32(frames), inputCount: 1, outputCount: 1, inputs: inputs,
            outputs: outputs)
        kernel.run(&block)
    }

    /// Reports the processor's values.
    @_noLocks
    func report(_ ring: RingProducer<Report>) {
        guard isListening, let reports else { return }
        for index in 0..<reportCount {
            _ = ring.push(.monitorValue(report: Int32(index), value: reports[index]))
        }
    }
}
