internal import DSP
internal import Realtime

/// The controls of one strip of a mixer.
struct MixerStrip: BitwiseCopyable {
    /// Gain, pan, mute, solo, invert.
    static var parameterCount: Int { @_noLocks get { 5 } }

    private(set) var isSolo = false
    private var fader = Fader(decibels: 0, pan: 0, isMuted: false, isInverted: false)

    /// Sets one of the strip's parameters, by its place in the description.
    @_noLocks
    mutating func set(_ parameter: Int, to value: Float) {
        switch parameter {
        case 0: fader.setGain(decibels: Double(value))
        case 1: fader.pan = Double(value)
        case 2: fader.isMuted = value >= 0.5
        case 3: isSolo = value >= 0.5
        default: fader.isInverted = value >= 0.5
        }
    }

    /// By what the strip's signal is multiplied on its way along a route.
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

/// The way of one channel of a strip into one channel of the sum.
struct MixerRoute: BitwiseCopyable {
    /// The channel among all channels that come in.
    let input: Int32
    let output: Int32
    let strip: Int32
    let law: Law
    /// The part of the signal that takes this way.
    let share: Double
    var gain: GainGlide

    /// What the strip's pan does on the way.
    enum Law: BitwiseCopyable { case plain, panLeft, panRight, balanceLeft, balanceRight }
}

/// The ways that signals take through a mixer, strip by strip.
///
/// A mono strip goes to every channel of the sum, by the pan law where there are two. A wider strip goes channel by channel;
/// where the sum is narrower it starts over at the first, and into one channel it goes as the mean of its channels.
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
