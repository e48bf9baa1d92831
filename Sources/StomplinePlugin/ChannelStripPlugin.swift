internal import CRealtime
internal import DSP
internal import Processing

/// One strip of a mixer, with the controls that make sense for a strip alone.
struct ChannelStripKernel: PluginKernel, ~Copyable {
    enum Parameter: Int32, PluginParameter {
        case gain, pan, mute, invert

        /// The control of the strip.
        fileprivate var control: MixerStrip.Parameter {
            @_noLocks get {
                switch self {
                case .gain: .gain
                case .pan: .pan
                case .mute: .mute
                case .invert: .invert
                }
            }
        }

        var range: ClosedRange<Float> { control.range }
        var defaultValue: Float { control.defaultValue }
    }

    private var mixer: MixerKernel

    init(channelCount: Int, sampleRate: Double) {
        // 0 is the default of all controls.
        mixer = MixerKernel(
            stripChannels: [channelCount], outputChannels: 2, panLaw: PanLaw(centreDecibels: -3),
            sampleRate: sampleRate, values: [])
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard let parameter = Parameter(rawValue: parameter) else { return }
        // The gain of the sum comes before the strip.
        mixer.set(MixerKernel.Parameter.gain.rawValue + 1 + parameter.control.rawValue, to: value)
    }

    @_noLocks
    mutating func reset() { mixer.reset() }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) { mixer.run(block) }
}

/// Creates an instance of the channel strip; `plugin_free` frees it.
@_cdecl("channel_strip_make")
public func makeChannelStrip(sampleRate: Double, channelCount: Int32) -> UnsafeMutableRawPointer {
    let kernel = ChannelStripKernel(channelCount: Int(channelCount), sampleRate: sampleRate)
    return startPlugin(
        EffectPlugin(
            kernel, channelCount: Int(channelCount), outputCount: 2, sampleRate: sampleRate))
}
