/// How long a parameter takes to a new value: short enough to feel immediate, long enough not to be heard as a click.
let smoothingSeconds = 0.02

/// The frames that `smoothingSeconds` last.
func smoothingFrames(sampleRate: Double) -> Int { Int(smoothingSeconds * sampleRate) }
