internal import CRealtime
internal import DSP
internal import Realtime

/// Listens to the sum of all channels while they pass.
struct TunerKernel: ~Copyable {
    /// Frequency, cents, note and level, as the description lists them; all but the level are 0 where there is no pitch.
    let reports: UnsafeMutablePointer<Float>
    private let channelCount: Int
    /// The sum of the channels, a piece at a time.
    private let sum: UnsafeMutablePointer<Float>
    private var pitch: NotePitch
    private var reference: Double

    /// Frames that are listened to at a time.
    private static var pieceFrames: Int { @_noLocks get { 64 } }
    /// The lowest level it reports, in dB.
    private static var floorDecibels: Double { @_noLocks get { -160 } }

    init(channelCount: Int, sampleRate: Double, reference: Double) {
        self.channelCount = channelCount
        self.reference = reference
        pitch = NotePitch(sampleRate: sampleRate)
        sum = .allocate(capacity: TunerKernel.pieceFrames)
        reports = .allocate(capacity: 4)
        reports.initialize(repeating: 0, count: 4)
        report()
    }

    deinit {
        pitch.deallocate()
        sum.deallocate()
        reports.deallocate()
    }

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
        guard parameter == 0, value.isFinite, value > 0 else { return }
        reference = Double(value)
        report()
    }

    @_noLocks
    mutating func reset() {
        pitch.reset()
        report()
    }

    @_noLocks
    private mutating func listen(_ block: RTBlock, first: Int, count: Int) {
        rt_clear(sum, Int64(count))
        for channel in 0..<channelCount {
            let samples = block.inputs[channel] + first
            for frame in 0..<count { sum[frame] += samples[frame] }
        }
        pitch.run(sum, count)
    }

    @_noLocks
    private func report() {
        let hertz = Double(pitch.hertz)
        let place = hertz > 0 ? 69 + 12 / 0.6931471805599453 * rt_log(hertz / reference) : 0
        let note = rt_round(place)
        reports[0] = pitch.hertz
        reports[1] = Float(100 * (place - note))
        reports[2] = Float(note)
        let level = Decibels(amplitude: Double(pitch.level) / Double(max(1, channelCount))).value
        reports[3] = Float(max(TunerKernel.floorDecibels, level))
    }
}
