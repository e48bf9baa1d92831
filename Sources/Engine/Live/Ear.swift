internal import CRealtime
internal import Processing
internal import Realtime

/// A processor that hears one of the engine's inputs beside all that plays, such as a tuner.
struct Ear: BitwiseCopyable {
    /// The input's slot; -1 where it hears nothing.
    private(set) var slot = -1
    private let run: RTRun?
    private let state: UnsafeMutableRawPointer
    private let reports: UnsafePointer<Float>?
    private let reportCount: Int
    private let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// - Parameters:
    ///   - processor: Of one channel; it must outlive the engine.
    ///   - maximumFrames: The most frames of a piece.
    ///   - arena: Where its memory is.
    init(_ processor: Processor?, maximumFrames: Int, arena: Arena) {
        let nowhere = arena.samples(maximumFrames)
        run = processor?.run
        state = processor?.state ?? UnsafeMutableRawPointer(nowhere)
        reports = processor?.reports
        reportCount = processor?.reports == nil ? 0 : Self.reportedValues
        inputs = arena.allocate(1, UnsafePointer(nowhere))
        outputs = arena.allocate(1, nowhere)
    }

    /// Only its first value, the pitch of a tuner, is anybody's news.
    private static let reportedValues = 1

    var isListening: Bool { @_noLocks get { slot >= 0 && run != nil } }

    @_noLocks
    mutating func listen(slot newSlot: Int) {
        slot = newSlot < Outside.mostChannels ? newSlot : -1
    }

    /// Hears a piece; what the processor passes on goes nowhere.
    @_noLocks
    func hear(_ samples: UnsafePointer<Float>, _ frames: Int) {
        guard let run else { return }
        inputs[0] = samples
        var block = RTBlock(
            frameCount: Int32(frames), inputCount: 1, outputCount: 1, inputs: inputs,
            outputs: outputs)
        rt_run(run, state, &block)
    }

    /// Reports what it heard.
    @_noLocks
    func report(_ ring: RingProducer<Report>) {
        guard isListening, let reports else { return }
        for place in 0..<reportCount {
            _ = ring.push(.heard(report: Int32(place), value: reports[place]))
        }
    }
}
