internal import CRealtime
internal import Pipelines
internal import Processing
internal import Realtime

/// The progress of a splice, in which a schedule replaces the one before.
///
/// First, new parts run unheard until a signal has passed through all of them. Then one crossfade
/// applies all changes. Then removed nodes ring out, for at most the pipeline's `tail`.
struct Transition: BitwiseCopyable {
    /// -90 dB; signals below it count as silence.
    static var silence: Float { @_noLocks get { 3.162e-5 } }

    /// The gains of the cycle for signals that fade in and out, one per frame.
    let rising: UnsafeMutablePointer<Float>
    let falling: UnsafeMutablePointer<Float>
    /// The gains of the cycle for the inputs of new nodes; this ramp starts at once.
    let entering: UnsafeMutablePointer<Float>
    private var entrance = SmoothRamp(0)
    /// The gains of the cycle for the nodes of a song that begins; this ramp is short and starts at
    /// once.
    let starting: UnsafeMutablePointer<Float>
    private var start = SmoothRamp(0)
    private let maximumFrames: Int
    private let fadeFrames: Int32
    /// The time for which all removed nodes must be silent before the transition is over, in
    /// frames.
    private let gapFrames: Int
    private var waitFrames: Int
    private var quietFrames = 0
    private var share = SmoothRamp(0)
    private var hasBegun = false
    /// Whether nothing fades or rings out any more.
    private(set) var isOver: Bool
    /// Whether the end of the transition has not been reported yet.
    var needsReport = false

    init(_ figures: Figures, isOver: Bool, arena: Arena) {
        rising = arena.samples(figures.maximumFrames)
        falling = arena.samples(figures.maximumFrames)
        entering = arena.samples(figures.maximumFrames)
        entrance.move(to: 1, frames: figures.fadeFrames)
        starting = arena.samples(figures.maximumFrames)
        start.move(to: 1, frames: max(1, figures.fadeFrames / 6))
        maximumFrames = figures.maximumFrames
        fadeFrames = figures.fadeFrames
        gapFrames = figures.gapFrames
        waitFrames = figures.warmUpFrames
        self.isOver = isOver
    }

    /// The durations of the parts, in frames.
    struct Figures {
        var maximumFrames: Int
        var warmUpFrames: Int
        var fadeFrames: Int32
        var gapFrames: Int
    }

    /// Whether all fades have ended; from then on only the tails of removed nodes are audible.
    var isFaded: Bool { @_noLocks get { hasBegun && share.isResting } }

    /// The number of frames until the crossfade begins; 0 if it has begun, or without a crossfade.
    var framesToCrossfade: Int { @_noLocks get { isOver || hasBegun ? 0 : waitFrames } }

    /// Calculates the gains of a cycle.
    @_noLocks
    mutating func advance(_ frames: Int) {
        for frame in 0..<frames {
            if waitFrames > 0 {
                waitFrames -= 1
            } else if !hasBegun {
                hasBegun = true
                share.move(to: 1, frames: fadeFrames)
            }
            let gain = share.next()
            rising[frame] = gain
            falling[frame] = 1 - gain
            entering[frame] = entrance.next()
            starting[frame] = start.next()
        }
    }

    /// Ends nodes that have rung out: a node when its time is over, and all nodes when they are
    /// silent together.
    @_noLocks
    mutating func settle(
        _ leaving: UnsafeMutablePointer<UnsafeMutablePointer<NodeStep>>, _ count: Int, _ frames: Int
    ) {
        guard isFaded else { return }
        var isQuiet = true
        var areEnded = true
        for index in 0..<count where !leaving[index].pointee.removal.hasEnded {
            areEnded = false
            if leaving[index].pointee.removal.peak > Self.silence { isQuiet = false }
        }
        guard areEnded else {
            quietFrames = isQuiet ? quietFrames + frames : 0
            for index in 0..<count {
                leaving[index].pointee.removal.ringOut(
                    frames, isSilent: quietFrames >= gapFrames, fadeFrames: fadeFrames)
            }
            return
        }
        isOver = true
        needsReport = true
        // The last blocks may be run with any number of frames.
        for frame in 0..<maximumFrames {
            rising[frame] = 1
            entering[frame] = 1
            starting[frame] = 1
            falling[frame] = 0
        }
    }
}

extension Transition {
    /// Creates the transition that a plan needs.
    init(_ plan: Plan, _ splice: Splice, _ instances: [NodeInstance], arena: Arena) {
        let rate = plan.format.sampleRate
        let leaving = instances.dropFirst(splice.nodeCount)
        let fades = plan.steps.contains { if case .blend = $0 { true } else { false } }
        let fadeFrames = RateFigures.exchangeFrames(sampleRate: rate)
        self.init(
            Figures(
                maximumFrames: plan.format.maximumBlockFrames,
                warmUpFrames: plan.warmUpFrames
                    + (plan.hasEntrances && !splice.isSongChange ? Int(fadeFrames) : 0),
                fadeFrames: fadeFrames,
                gapFrames: leaving.map(\.gapFrames).reduce(Int(rate), max)),
            isOver: !fades && leaving.isEmpty
                && splice.outputCount == splice.pipeline.outputs.count,
            arena: arena)
    }

    /// Returns the gains of a fade in each cycle; `nil` if they are 1.
    func gains(of fade: Plan.Fade) -> UnsafePointer<Float>? {
        switch fade {
        case .steady: nil
        case .rising: UnsafePointer(rising)
        case .falling: UnsafePointer(falling)
        case .entering: UnsafePointer(entering)
        case .starting: UnsafePointer(starting)
        }
    }
}
