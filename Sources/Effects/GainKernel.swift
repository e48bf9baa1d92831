internal import CRealtime
internal import DSP
internal import Realtime

/// One gain a channel, which moves without a corner.
struct GainKernel: ~Copyable {
    private let channelCount: Int
    private let gains: UnsafeMutablePointer<GainGlide>
    private var fader: Fader

    /// A gain that rests at its parameters, which stand in the order of the description.
    init(channelCount: Int, sampleRate: Double, parameters: [Double]) {
        self.channelCount = channelCount
        fader = Fader(
            decibels: parameters[0], pan: parameters[1], isMuted: parameters[2] >= 0.5,
            isInverted: parameters[3] >= 0.5)
        gains = .allocate(capacity: channelCount)
        gains.initialize(
            repeating: GainGlide(0, lengthFrames: smoothingFrames(sampleRate: sampleRate)),
            count: channelCount)
        reset()
    }

    deinit { gains.deallocate() }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for channel in 0..<channelCount {
            scale(
                block.inputs[channel], into: block.outputs[channel],
                frameCount: Int(block.frameCount), gain: &gains[channel])
        }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch parameter {
        case 0: fader.setGain(decibels: Double(value))
        case 1: fader.pan = Double(value)
        case 2: fader.isMuted = value >= 0.5
        case 3: fader.isInverted = value >= 0.5
        default: return
        }
        for channel in 0..<channelCount {
            let target = amplitude(channel: channel)
            if gains[channel].target != target { gains[channel].move(to: target) }
        }
    }

    @_noLocks
    mutating func reset() {
        for channel in 0..<channelCount {
            gains[channel].snap(to: amplitude(channel: channel))
        }
    }

    @_noLocks
    private func amplitude(channel: Int) -> Float {
        guard channelCount == 2 else { return Float(fader.amplitude) }
        let sides = PanLaw.balance(pan: fader.pan)
        return Float(fader.amplitude * (channel == 0 ? sides.left : sides.right))
    }
}
