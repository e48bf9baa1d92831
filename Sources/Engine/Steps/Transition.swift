internal import CRealtime

/// How far a schedule has taken the place of the one before.
///
/// First what is new plays unheard until it has sounded through; then everything that changes does so by one crossfade;
/// then what was removed rings out, at most for the pipeline's `tail`.
struct Transition: BitwiseCopyable {
    /// -90 dB: what is below counts as silence.
    private static var silence: Float { @_noLocks get { 3.162e-5 } }

    /// Gains of the cycle for what comes and what goes.
    let rising: UnsafeMutablePointer<Float>
    let falling: UnsafeMutablePointer<Float>
    private let maximumFrames: Int
    private let fadeFrames: Int32
    /// How long all that rings out must be silent before it counts as over.
    private let gapFrames: Int
    private var waitFrames: Int
    private var tailFrames: Int
    private var quietFrames = 0
    private var share = Swell(0)
    private var hasBegun = false
    /// Whether nothing fades and nothing rings out any more.
    private(set) var isOver: Bool
    /// Whether that is to be told.
    var hasNews = false

    init(_ figures: Figures, isOver: Bool, arena: Arena) {
        rising = arena.samples(figures.maximumFrames)
        falling = arena.samples(figures.maximumFrames)
        maximumFrames = figures.maximumFrames
        fadeFrames = figures.fadeFrames
        gapFrames = figures.gapFrames
        waitFrames = figures.warmUpFrames
        tailFrames = figures.tailFrames
        self.isOver = isOver
    }

    /// How long things last, in frames.
    struct Figures {
        var maximumFrames: Int
        var warmUpFrames: Int
        var fadeFrames: Int32
        var tailFrames: Int
        var gapFrames: Int
    }

    /// Whether all that fades has arrived: from then on tails alone are heard of what was.
    var isFaded: Bool { @_noLocks get { hasBegun && share.isResting } }

    /// What comes is heard alone and what goes is not heard.
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
        }
    }

    /// Ends what has rung out.
    @_noLocks
    mutating func settle(
        _ leaving: UnsafeMutablePointer<UnsafeMutablePointer<NodeStep>>, _ count: Int, _ frames: Int
    ) {
        guard isFaded else { return }
        var isQuiet = true
        var areEnded = true
        for place in 0..<count where !leaving[place].pointee.departure.hasEnded {
            areEnded = false
            if leaving[place].pointee.departure.peak > Self.silence { isQuiet = false }
        }
        if !areEnded {
            tailFrames -= frames
            quietFrames = isQuiet ? quietFrames + frames : 0
            if tailFrames <= 0 || quietFrames >= gapFrames {
                for place in 0..<count { leaving[place].pointee.departure.end(fadeFrames) }
            }
            return
        }
        isOver = true
        hasNews = true
        // The last blocks may be run with any length.
        for frame in 0..<maximumFrames {
            rising[frame] = 1
            falling[frame] = 0
        }
    }
}

/// How a node goes away.
struct Departure: BitwiseCopyable {
    /// Whether it goes.
    private(set) var isOn = false
    /// Whether nothing of it is heard any more.
    private(set) var hasEnded = false
    /// Highest magnitude of the last cycle.
    private(set) var peak: Float = 0
    private var level = Swell(1)
    private var isEnding = false
    /// Whether held notes have been let go.
    var hasReleasedNotes = false

    @_noLocks
    mutating func begin() {
        guard !isOn else { return }
        isOn = true
        hasReleasedNotes = false
    }

    /// The node stays after all.
    @_noLocks
    mutating func takeBack(_ frames: Int32) {
        guard isOn else { return }
        isOn = false
        hasEnded = false
        if isEnding { level.move(to: 1, frames: frames) }
        isEnding = false
    }

    @_noLocks
    mutating func end(_ frames: Int32) {
        guard !isEnding else { return }
        isEnding = true
        level.move(to: 0, frames: frames)
    }

    /// Whether its output is as it is.
    var isIdle: Bool { @_noLocks get { !isOn && level.isResting && level.value == 1 } }

    /// Fades a cycle of the node's output, and listens to it.
    @_noLocks
    mutating func run(
        _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int
    ) {
        if !(level.isResting && level.value == 1) {
            for frame in 0..<frames {
                let gain = level.next()
                for channel in 0..<count { outputs[channel][frame] *= gain }
            }
        }
        peak = 0
        for channel in 0..<count {
            peak = max(peak, rt_level(outputs[channel], Int64(frames)).peak)
        }
        if isEnding, level.isResting { hasEnded = true }
    }
}
