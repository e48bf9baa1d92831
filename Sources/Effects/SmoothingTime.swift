/// The time in which a parameter reaches a new value, in seconds: short enough to feel immediate,
/// long enough not to click.
let smoothingSeconds = 0.02

/// Returns the number of frames in `smoothingSeconds`.
func smoothingFrames(sampleRate: Double) -> Int { Int(smoothingSeconds * sampleRate) }

/// Returns the smoothstep polynomial 3p² - 2p³: a crossfade's gain without a corner at either end,
/// for p from 0 through 1.
@_noLocks @inline(__always)
func smoothStep(_ p: Float) -> Float { p * p * (3 - 2 * p) }
