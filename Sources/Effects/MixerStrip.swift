internal import DSP
internal import Processing
internal import Realtime

/// The controls of one strip of a mixer.
struct MixerStrip: BitwiseCopyable {
    enum Parameter: Int32, EffectParameter {
        case gain, pan, mute, solo, invert

        var range: ClosedRange<Float> {
            switch self {
            case .gain: -120...24
            case .pan: -1...1
            case .mute, .solo, .invert: 0...1
            }
        }

        /// The value if the file or the host has none: 0 for all.
        var defaultValue: Float { 0 }
    }

    private(set) var isSolo = false
    private var fader = Fader(decibels: 0, pan: 0, isMuted: false, isInverted: false)

    @_noLocks
    mutating func set(_ parameter: Parameter, to value: Float) {
        switch parameter {
        case .gain: fader.setGain(decibels: Double(value))
        case .pan: fader.pan = Double(value)
        case .mute: fader.isMuted = value >= 0.5
        case .solo: isSolo = value >= 0.5
        case .invert: fader.isInverted = value >= 0.5
        }
    }

    /// Returns the linear gain of the strip's signal on a route.
    @_noLocks
    func amplitude(_ law: MixerRoute.Law, _ panLaw: PanLaw) -> Double {
        switch law {
        case .plain: fader.amplitude
        case .panLeft: fader.amplitude * panLaw.amplitudes(pan: fader.pan).left
        case .panRight: fader.amplitude * panLaw.amplitudes(pan: fader.pan).right
        case .balanceLeft: fader.amplitude * PanLaw.balance(pan: fader.pan).left
        case .balanceRight: fader.amplitude * PanLaw.balance(pan: fader.pan).right
        }
    }
}

/// The connection of one channel of a strip to one channel of the sum.
struct MixerRoute: BitwiseCopyable {
    /// The index of the channel among all input channels.
    let input: Int32
    let output: Int32
    let strip: Int32
    let law: Law
    /// The linear gain before pan and strip gain.
    let share: Double
    var gain: GainGlide

    /// The effect of the strip's pan on the route.
    enum Law: BitwiseCopyable { case plain, panLeft, panRight, balanceLeft, balanceRight }
}

/// Returns the routes through a mixer, strip by strip.
///
/// A mono strip feeds every channel of the sum; if the sum is stereo, the pan law applies. Each
/// channel of a wider strip feeds one channel of the sum; if the sum has fewer channels, the
/// assignment starts again at the first one. A mono sum gets the mean of a strip's channels.
func mixerRoutes(stripChannels: [Int], outputChannels: Int, rampFrames: Int) -> [MixerRoute] {
    var routes: [MixerRoute] = []
    var firstInput = 0
    for (strip, width) in stripChannels.enumerated() {
        let ways =
            width == 1
            ? (0..<outputChannels).map { (0, $0) }
            : (0..<width).map { ($0, $0 % outputChannels) }
        let isDownmix = outputChannels == 1
        routes += ways.map { channel, output in
            MixerRoute(
                input: Int32(firstInput + channel), output: Int32(output), strip: Int32(strip),
                law: panning(width: width, output: output, outputChannels: outputChannels),
                share: isDownmix ? 1 / Double(width) : 1,
                gain: GainGlide(0, lengthFrames: rampFrames))
        }
        firstInput += width
    }
    return routes
}

private func panning(width: Int, output: Int, outputChannels: Int) -> MixerRoute.Law {
    guard outputChannels == 2, width <= 2 else { return .plain }
    switch (width, output) {
    case (1, 0): return .panLeft
    case (1, _): return .panRight
    case (_, 0): return .balanceLeft
    default: return .balanceRight
    }
}
