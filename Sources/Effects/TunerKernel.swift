internal import CRealtime
internal import DSP
internal import Processing
internal import Realtime

/// Detects the pitch of the sum of all channels, and passes the channels on.
struct TunerKernel: Kernel, ~Copyable {
    enum Parameter: Int32, EffectParameter {
        case reference

        var range: ClosedRange<Float> { 400...480 }
        var defaultValue: Float { 440 }
    }

    /// Frequency, cents, note and level, in the order of the description; all except the level are
    /// 0 if there is no pitch.
    let reports: Buffer<Float>
    private let channelCount: Int
    /// The sum of the channels, for one piece at a time.
    private let sum: Buffer<Float>
    private var pitch: NotePitch
    private var reference: Double

    /// The number of frames that are analysed at once.
    private static var pieceFrames: Int { @_noLocks get { 64 } }
    /// The lowest level it reports, in dB.
    private static var floorDecibels: Double { @_noLocks get { -160 } }

    init(channelCount: Int, sampleRate: Double, reference: Double) {
        self.channelCount = channelCount
        self.reference = reference
        pitch = NotePitch(sampleRate: sampleRate)
        sum = Buffer(count: TunerKernel.pieceFrames, repeating: 0)
        reports = Buffer(count: 4, repeating: 0)
        report()
    }

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    @_noLocks
    mutating func run(_ block: UnsafePointer<RTBlock>) {
        let block = block.pointee
        for channel in 0..<channelCount {
            rt_copy(block.outputs[channel], block.inputs[channel], Int64(block.frameCount))
        }
        let (hertz, level) = (pitch.hertz, pitch.level)
        for first in stride(from: 0, to: Int(block.frameCount), by: TunerKernel.pieceFrames) {
            listen(
                block, first: first,
                count: min(TunerKernel.pieceFrames, Int(block.frameCount) - first))
        }
        if pitch.hertz != hertz || pitch.level != level { report() }
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard let parameter = Parameter(rawValue: parameter), value.isFinite, value > 0 else {
            return
        }
        switch parameter {
        case .reference: reference = Double(value)
        }
        report()
    }

    @_noLocks
    mutating func reset() {
        pitch.reset()
        report()
    }

    @_noLocks
    private mutating func listen(_ block: RTBlock, first: Int, count: Int) {
        rt_clear(sum.start, Int64(count))
        for channel in 0..<channelCount {
            let samples = block.inputs[channel] + first
            for frame in 0..<count { sum[frame] += samples[frame] }
        }
        pitch.run(sum.start, count)
    }

    @_noLocks
    private func report() {
        let hertz = Double(pitch.hertz)
        // The MIDI number of the pitch: 69 is the A above middle C, and a semitone is a twelfth of
        // an octave.
        let number = hertz > 0 ? 69 + 12 / 0.6931471805599453 * rt_log(hertz / reference) : 0
        let note = rt_round(number)
        reports[0] = pitch.hertz
        reports[1] = Float(100 * (number - note))
        reports[2] = Float(note)
        let level = Decibels(amplitude: Double(pitch.level) / Double(max(1, channelCount))).value
        reports[3] = Float(max(TunerKernel.floorDecibels, level))
    }
}
