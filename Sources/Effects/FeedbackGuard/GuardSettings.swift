internal import CRealtime

/// The parameters of the guard, in the units in which they are used.
struct GuardSettings: BitwiseCopyable {
    /// The factor of the rise that a howl must have.
    var need: Float = 1
    /// The largest depth of a notch, in dB.
    var depthLimit = 18.0
    /// The width of a new notch, in octaves.
    var width = 0.1
    /// The spectra without a howl after which a notch is released.
    var releaseHops = 2800
    /// The decrease of the depth of a released notch, in dB per spectrum.
    var releaseDecibels = 0.02
    /// The range in which howls are searched, in Hz.
    var lowest = 40.0
    var highest = 24_000.0

    /// The greatest width to which a notch grows, in octaves.
    static var widest: Double { @_noLocks get { 0.6 } }
}

/// A howl that was found.
struct Howl: BitwiseCopyable {
    /// The binary logarithm of the frequency in Hz.
    let octave: Double
    /// The level in dB.
    let level: Float
    /// The rise in dB per spectrum; 0 if it is as loud as it can be.
    let slope: Float
    /// The depth of the first notch in dB.
    let depth: Double
}
