internal import CRealtime
internal import Realtime

/// How far a schedule has taken the place of the one before.
///
/// First what is new plays unheard until it has sounded through; then everything that changes does so by one crossfade;
/// then what was removed rings out, at most for the pipeline's `tail`.
struct Transition: BitwiseCopyable {
    /// -90 dB: what is below counts as silence.
    static var silence: Float { @_noLocks get { 3.162e-5 } }

    /// Gains of the cycle for what comes and what goes.
    let rising: UnsafeMutablePointer<Float>
    let falling: UnsafeMutablePointer<Float>
    /// Gains of the cycle for what new nodes hear, which begins at once.
    let entering: UnsafeMutablePointer<Float>
    private var entrance = Swell(0)
    private let maximumFrames: Int
    private let fadeFrames: Int32
    /// How long all that rings out must be silent before it counts as over.
    private let gapFrames: Int
    private var waitFrames: Int
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
        entering = arena.samples(figures.maximumFrames)
        entrance.move(to: 1, frames: figures.fadeFrames)
        maximumFrames = figures.maximumFrames
        fadeFrames = figures.fadeFrames
        gapFrames = figures.gapFrames
        waitFrames = figures.warmUpFrames
        self.isOver = isOver
    }

    /// How long things last, in frames.
    struct Figures {
        var maximumFrames: Int
        var warmUpFrames: Int
        var fadeFrames: Int32
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
            entering[frame] = entrance.next()
        }
    }

    /// Ends what has rung out: a node whose time is over, and all once they are silent together.
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
        guard areEnded else {
            quietFrames = isQuiet ? quietFrames + frames : 0
            for place in 0..<count {
                leaving[place].pointee.departure.ring(
                    frames, isSilent: quietFrames >= gapFrames, fadeFrames: fadeFrames)
            }
            return
        }
        isOver = true
        hasNews = true
        // The last blocks may be run with any length.
        for frame in 0..<maximumFrames {
            rising[frame] = 1
            entering[frame] = 1
            falling[frame] = 0
        }
    }
}
