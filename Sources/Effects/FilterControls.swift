internal import CRealtime
internal import DSP
internal import Realtime

/// The parameters of a filter with their ramps: frequency and Q glide in octaves, the gain in dB.
struct FilterControls: BitwiseCopyable {
    /// The target of every parameter; shape and order do not glide.
    private(set) var target: FilterDesign
    private var octaves: Ramp
    private var decibels: Ramp
    private var qOctaves: Ramp

    /// Creates controls that rest at their values.
    init(rampFrames: Int, value: (FilterKernel.Parameter) -> Float) {
        target = FilterDesign(shape: .highpass, order: 2, hertz: 1000, decibels: 0, q: 0.7071)
        octaves = Ramp(0, lengthFrames: rampFrames)
        decibels = Ramp(0, lengthFrames: rampFrames)
        qOctaves = Ramp(0, lengthFrames: rampFrames)
        for parameter in FilterKernel.Parameter.allCases { set(parameter, to: value(parameter)) }
        snap()
    }

    @_noLocks
    mutating func set(_ parameter: FilterKernel.Parameter, to value: Float) {
        guard value.isFinite else { return }
        switch parameter {
        case .shape: target.shape = FilterShape(rawValue: nearestWhole(value)) ?? target.shape
        case .frequency:
            target.hertz = Double(value)
            FilterControls.glide(&octaves, to: Float(rt_log(target.hertz)))
        case .gain:
            target.decibels = Double(value)
            FilterControls.glide(&decibels, to: value)
        case .q:
            target.q = Double(value)
            FilterControls.glide(&qOctaves, to: Float(rt_log(target.q)))
        case .order: target.order = max(1, Int(nearestWhole(value)))
        }
    }

    /// Starts a glide, unless the ramp already moves to the target.
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

    /// Advances all ramps by one frame.
    @_noLocks
    mutating func advance() {
        _ = octaves.next()
        _ = decibels.next()
        _ = qOctaves.next()
    }

    /// Returns the filter of a shape and order, with the other parameters at their current values.
    @_noLocks
    func design(_ shape: FilterShape, order: Int) -> FilterDesign {
        FilterDesign(
            shape: shape, order: order,
            hertz: octaves.isResting ? target.hertz : rt_exp(Double(octaves.value)),
            decibels: decibels.isResting ? target.decibels : Double(decibels.value),
            q: qOctaves.isResting ? target.q : rt_exp(Double(qOctaves.value)))
    }
}

/// Returns the nearest whole number from 0 through 8, the highest order.
@_noLocks
private func nearestWhole(_ value: Float) -> Int32 { Int32(min(max(value, 0), 8) + 0.5) }
