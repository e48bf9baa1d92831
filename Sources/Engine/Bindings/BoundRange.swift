internal import CRealtime
internal import Pipelines
internal import Processing

/// The range of values of a binding, and its mapping to the positions of the control.
///
/// A position is a share of the control's range, from 0 through 1.
struct BoundRange: BitwiseCopyable {
    /// The value at position 0.
    let from: Float
    /// The value at position 1.
    let to: Float
    private let law: Law
    private let isInteger: Bool
    /// The only valid values, ascending; `nil` if there are too many to list.
    private let points: UnsafePointer<Float>?
    private let pointCount: Int

    /// The distribution of the values between the ends of the range.
    private enum Law: BitwiseCopyable {
        case linear, logarithmic
        case audio(AudioTaper)
    }

    init(
        from: Float, to: Float, curve: ParameterDescription.Curve, hasTaper: Bool = false,
        of parameter: ParameterDescription, arena: Arena
    ) {
        let points = Self.points(of: parameter, within: min(from, to)...max(from, to))
        let bounds = Self.bounds(from, to, points, isInteger: parameter.kind == .integer)
        (self.from, self.to) = bounds
        law =
            if hasTaper, case .continuous = parameter.kind {
                .audio(
                    AudioTaper(
                        from: bounds.0, to: bounds.1, isDecibels: parameter.unit == .decibels))
            } else if curve == .logarithmic && min(bounds.0, bounds.1) > 0 {
                .logarithmic
            } else {
                .linear
            }
        isInteger = parameter.kind == .integer
        self.points = points.isEmpty ? nil : UnsafePointer(arena.copy(points))
        pointCount = points.count
    }

    /// Returns the values of a toggle or a choice: those inside the range, or all of them if none
    /// is inside.
    private static func points(
        of parameter: ParameterDescription, within range: ClosedRange<Float>
    ) -> [Float] {
        let all: [Float] =
            switch parameter.kind {
            case .toggle: [0, 1]
            case .choice(let choices): choices.map(\.value).sorted()
            case .integer, .continuous: []
            }
        let inside = all.filter(range.contains)
        return inside.isEmpty ? all : inside
    }

    /// Returns the ends of the range, moved to valid values.
    private static func bounds(
        _ from: Float, _ to: Float, _ points: [Float], isInteger: Bool
    ) -> (Float, Float) {
        if let lowest = points.first, let highest = points.last {
            return from <= to ? (lowest, highest) : (highest, lowest)
        }
        let (low, high) = (min(from, to).rounded(.up), max(from, to).rounded(.down))
        guard isInteger, low <= high else { return (from, to) }
        return from <= to ? (low, high) : (high, low)
    }

    // MARK: Positions and values

    /// Returns the valid value at a position, between the two ends.
    @_noLocks
    func value(at position: Double) -> Float {
        if !(position > 0) { return from }
        if position >= 1 { return to }
        let (start, end) = (Double(from), Double(to))
        let value =
            switch law {
            case .linear: start + (end - start) * position
            case .logarithmic: start * rt_pow(end / start, position)
            case .audio(let taper): taper.value(at: position)
            }
        return nearestValid(Float(value))
    }

    /// Returns the position of a value; a value beyond an end has the position of that end.
    @_noLocks
    func position(of value: Float) -> Double {
        let (start, end) = (Double(from), Double(to))
        // NaN has no position.
        guard start != end, value == value else { return 0 }
        let inside = max(min(start, end), min(Double(value), max(start, end)))
        let position =
            switch law {
            case .linear: (inside - start) / (end - start)
            case .logarithmic: rt_log(inside / start) / rt_log(end / start)
            case .audio(let taper): taper.position(of: inside)
            }
        return max(0, min(position, 1))
    }

    /// Returns the position of a value in steps of the control, from 0 through `steps`.
    @_noLocks
    func step(of value: Float, of steps: Int32) -> Int32 {
        Int32(rt_round(position(of: value) * Double(steps)))
    }

    /// Returns the nearest valid value.
    @_noLocks
    private func nearestValid(_ value: Float) -> Float {
        if let points { return points[index(of: value, points)] }
        let rounded = isInteger ? Float(rt_round(Double(value))) : value
        return max(min(from, to), min(rounded, max(from, to)))
    }

    @_noLocks
    private func index(of value: Float, _ points: UnsafePointer<Float>) -> Int {
        var nearest = 0
        for index in 1..<max(1, pointCount)
        where abs(points[index] - value) < abs(points[nearest] - value) { nearest = index }
        return nearest
    }

    // MARK: Steps and switches

    /// Returns the value a number of steps further towards the end of the range; negative steps
    /// lead towards its start.
    ///
    /// Steps are 127ths of the range, whole numbers, or entries of a list.
    @_noLocks
    func value(_ steps: Int32, stepsFrom value: Float) -> Float {
        let signedSteps = from <= to ? Int(steps) : -Int(steps)
        if let points {
            return points[max(0, min(index(of: value, points) + signedSteps, pointCount - 1))]
        }
        guard isInteger else { return self.value(at: position(of: value) + Double(steps) / 127) }
        let start = value == value ? Double(value) : Double(from)
        return nearestValid(Float(rt_round(start) + Double(signedSteps)))
    }

    /// Returns whether a value is in the half of the range that contains its end.
    @_noLocks
    func isOn(_ value: Float) -> Bool { from != to && position(of: value) >= 0.5 }
}
