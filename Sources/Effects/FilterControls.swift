internal import CRealtime
internal import DSP
internal import Realtime

/// The parameters of a filter on their way: frequency and Q glide along octaves, the gain along dB.
struct FilterControls: BitwiseCopyable {
    /// What is wanted; shape and order do not glide.
    private(set) var wanted: FilterDesign
    private var octaves: Ramp
    private var decibels: Ramp
    private var qOctaves: Ramp

    /// Controls that rest at these values: shape, frequency, gain, Q, order.
    init(parameters: [Float], rampFrames: Int) {
        wanted = FilterDesign(shape: .highpass, order: 2, hertz: 1000, decibels: 0, q: 0.7071)
        octaves = Ramp(0, lengthFrames: rampFrames)
        decibels = Ramp(0, lengthFrames: rampFrames)
        qOctaves = Ramp(0, lengthFrames: rampFrames)
        for (index, value) in parameters.enumerated() { set(Int32(index), to: value) }
        snap()
    }

    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite else { return }
        switch parameter {
        case 0: wanted.shape = FilterShape(rawValue: Int32(held(value))) ?? wanted.shape
        case 1:
            wanted.hertz = Double(value)
            FilterControls.glide(&octaves, to: Float(rt_log(wanted.hertz)))
        case 2:
            wanted.decibels = Double(value)
            FilterControls.glide(&decibels, to: value)
        case 3:
            wanted.q = Double(value)
            FilterControls.glide(&qOctaves, to: Float(rt_log(wanted.q)))
        default: wanted.order = max(1, Int(held(value)))
        }
    }

    /// Starts a glide, unless it is under way.
    @_noLocks
    private static func glide(_ ramp: inout Ramp, to target: Float) {
        if ramp.target != target { ramp.move(to: target) }
    }

    var areResting: Bool {
        @_noLocks get { octaves.isResting && decibels.isResting && qOctaves.isResting }
    }

    @_noLocks
    mutating func snap() {
        octaves.snap()
        decibels.snap()
        qOctaves.snap()
    }

    /// Moves on by one frame.
    @_noLocks
    mutating func advance() {
        _ = octaves.next()
        _ = decibels.next()
        _ = qOctaves.next()
    }

    /// The filter of this shape and order where the other parameters are now.
    @_noLocks
    func design(_ shape: FilterShape, order: Int) -> FilterDesign {
        FilterDesign(
            shape: shape, order: order,
            hertz: octaves.isResting ? wanted.hertz : rt_exp(Double(octaves.value)),
            decibels: decibels.isResting ? wanted.decibels : Double(decibels.value),
            q: qOctaves.isResting ? wanted.q : rt_exp(Double(qOctaves.value)))
    }
}

/// The nearest whole number from 0 through 8, the highest order.
@_noLocks
private func held(_ value: Float) -> Float { min(max(value, 0), 8) + 0.5 }
