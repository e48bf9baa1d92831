internal import CRealtime
public import Pipelines
public import Processing

/// How a value moves to its target: the time, the curve, and the scale on which the value moves.
public struct Fade: BitwiseCopyable, Sendable {
    /// The time in seconds; 0 is an immediate change.
    public let seconds: Double
    let curve: FadeCurve
    /// Whether equal steps are equal ratios, as for frequencies; otherwise they are equal
    /// differences in the unit of the value, such as dB.
    let isLogarithmic: Bool
    /// Whether the value has no values in between and therefore changes at the end.
    let isStep: Bool

    /// Creates a fade of a parameter.
    public init(_ manner: FadeManner, of parameter: ParameterDescription) {
        seconds = manner.seconds
        curve = manner.curve
        isLogarithmic = parameter.kind == .continuous(.logarithmic)
        isStep = !parameter.isContinuous
    }

    /// Creates a fade of a gain in dB that belongs to no node.
    init(ofDecibels manner: FadeManner) {
        seconds = manner.seconds
        curve = manner.curve
        (isLogarithmic, isStep) = (false, false)
    }

    /// Returns the length of the fade at a sample rate in Hz, rounded to the nearest frame.
    @_noLocks
    func frames(sampleRate: Float) -> UInt64 {
        UInt64(rt_round(max(0, min(seconds * Double(sampleRate), 1e10))))
    }
}

/// A value on its way to a target.
///
/// The value depends only on the number of frames since the start. At the end it is exactly the
/// target.
struct FadingValue: BitwiseCopyable {
    /// The value at the end.
    let target: Float
    /// The length of the fade.
    let frames: UInt64
    /// Whether the value has no values in between and therefore changes at the end.
    let isStep: Bool
    private let origin: Float
    private let curve: FadeCurve
    /// The logarithm of target / origin on a logarithmic scale; 0 on a linear scale.
    private let logarithm: Double

    /// Starts a fade from a value.
    ///
    /// The scale is linear if one of the ends is not positive.
    @_noLocks
    init(_ fade: Fade, from origin: Float, to target: Float, frames: UInt64) {
        self.origin = origin
        self.target = target
        self.frames = frames
        curve = fade.curve
        isStep = fade.isStep
        logarithm =
            fade.isLogarithmic && origin > 0 && target > 0
            ? rt_log(Double(target) / Double(origin)) : 0
    }

    /// Returns the value at a frame, counted from the start.
    @_noLocks
    func value(atFrame frame: UInt64) -> Float {
        if frame >= frames { return target }
        if isStep || frame == 0 { return origin }
        let share = share(Double(frame) / Double(frames))
        guard logarithm == 0 else { return Float(Double(origin) * rt_exp(logarithm * share)) }
        return Float(Double(origin) + (Double(target) - Double(origin)) * share)
    }

    /// Returns the share of the way after a share of the time.
    @_noLocks
    private func share(_ p: Double) -> Double {
        switch curve {
        case .linear: return p
        case .smooth: return p * p * (3 - 2 * p)
        case .easeIn: return p * p
        case .easeOut: return p * (2 - p)
        }
    }
}
