internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Multiplies each channel by a gain that moves along a smooth ramp.
struct GainKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter { case gain, pan, mute, invert }

    private let gains: Buffer<GainGlide>
    private var fader: Fader

    /// Creates a kernel whose gains rest at the fader's values.
    init(channelCount: Int, sampleRate: Double, fader: Fader) {
        self.fader = fader
        gains = Buffer(
            count: channelCount,
            repeating: GainGlide(0, lengthFrames: smoothingFrames(sampleRate: sampleRate)))
        reset()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for channel in 0..<gains.count {
            scale(
                block.inputs[channel], into: block.outputs[channel],
                frameCount: Int(block.frameCount), gain: &gains[channel])
        }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite, let parameter = Parameter(rawValue: parameter) else { return }
        switch parameter {
        case .gain: fader.setGain(decibels: Double(value))
        case .pan: fader.pan = Double(value)
        case .mute: fader.isMuted = value >= 0.5
        case .invert: fader.isInverted = value >= 0.5
        }
        for channel in 0..<gains.count {
            let target = amplitude(channel: channel)
            if gains[channel].target != target { gains[channel].move(to: target) }
        }
    }

    @_noLocks
    mutating func reset() {
        for channel in 0..<gains.count { gains[channel].snap(to: amplitude(channel: channel)) }
    }

    @_noLocks
    private func amplitude(channel: Int) -> Float {
        guard gains.count == 2 else { return Float(fader.amplitude) }
        let sides = PanLaw.balance(pan: fader.pan)
        return Float(fader.amplitude * (channel == 0 ? sides.left : sides.right))
    }
}
