internal import CRealtime
internal import DSP
internal import Realtime

/// A delay of one voice, crossfaded to each new length.
struct VoiceDelay: ~Copyable {
    private var line: DelayLine
    private var tap = DelayTap(frames: 1)
    /// The tap that fades in while the fade is not at rest.
    private var nextTap = DelayTap(frames: 1)
    private var fade: Ramp
    private var frames = 0.0

    init(maximumFrames: Int, fadeFrames: Int) {
        line = DelayLine(maximumFrames: maximumFrames + 1)
        fade = Ramp(0, lengthFrames: fadeFrames)
    }

    @_noLocks
    mutating func clear() {
        line.clear()
        frames = 0
        tap = DelayTap(frames: 1)
        nextTap = tap
        fade.snap(to: 0)
    }

    /// Begins a crossfade to another delay in frames, unless one is going on.
    @_noLocks
    mutating func move(to wanted: Double) {
        guard wanted != frames, fade.isResting else { return }
        frames = wanted
        // The newest sample of the line is one frame back.
        nextTap = DelayTap(frames: wanted + 1)
        fade.move(to: 1)
    }

    /// Writes a sample and returns the delayed one.
    @_noLocks @inline(__always)
    mutating func next(_ sample: Float) -> Float {
        line.push(sample)
        guard !fade.isResting else { return line.read(tap) }
        let share = fade.next()
        let mixed = line.read(tap) * (1 - share) + line.read(nextTap) * share
        if fade.isResting {
            tap = nextTap
            fade.snap(to: 0)
        }
        return mixed
    }
}
