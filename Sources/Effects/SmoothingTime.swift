/// How long a parameter takes to a new value: short enough to feel immediate, long enough not to be heard as a click.
let smoothingSeconds = 0.02

/// The frames that `smoothingSeconds` last.
func smoothingFrames(sampleRate: Double) -> Int { Int(smoothingSeconds * sampleRate) }

/// A crossfade's share without a corner at either end: 3p² - 2p³, p running from 0 to 1.
@_noLocks @inline(__always)
func smoothStep(_ p: Float) -> Float { p * p * (3 - 2 * p) }
