internal import CRealtime
internal import Pipelines
internal import Processing

/// The values that a binding reaches, and where on the control each is.
///
/// A position is a share of the control's way, from 0 through 1.
struct BoundRange: BitwiseCopyable {
    /// The value at position 0.
    let from: Float
    /// The value at position 1.
    let to: Float
    private let isLogarithmic: Bool
    private let isWhole: Bool
    /// The only values there are, ascending; NULL where there are more than can be listed.
    private let points: UnsafePointer<Float>?
    private let pointCount: Int

    init(
        from: Float, to: Float, curve: ParameterDescription.Curve,
        of parameter: ParameterDescription, arena: Arena
    ) {
        let points = Self.points(of: parameter, within: min(from, to)...max(from, to))
        let bounds = Self.bounds(from, to, points, isWhole: parameter.kind == .integer)
        (self.from, self.to) = bounds
        isLogarithmic = curve == .logarithmic && min(bounds.0, bounds.1) > 0
        isWhole = parameter.kind == .integer
        self.points = points.isEmpty ? nil : UnsafePointer(arena.copy(points))
        pointCount = points.count
    }

    /// The values of a toggle or a choice: those inside the range, or all where none is.
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

    /// The ends, moved to values that there are.
    private static func bounds(
        _ from: Float, _ to: Float, _ points: [Float], isWhole: Bool
    ) -> (Float, Float) {
        if let lowest = points.first, let highest = points.last {
            return from <= to ? (lowest, highest) : (highest, lowest)
        }
        let (low, high) = (min(from, to).rounded(.up), max(from, to).rounded(.down))
        guard isWhole, low <= high else { return (from, to) }
        return from <= to ? (low, high) : (high, low)
    }

    // MARK: Between positions and values

    /// The value at a position; always one that there is, between the two ends.
    @_noLocks
    func value(at position: Double) -> Float {
        if !(position > 0) { return from }
        if position >= 1 { return to }
        let (start, end) = (Double(from), Double(to))
        let value =
            isLogarithmic
            ? start * rt_pow(end / start, position) : start + (end - start) * position
        return legal(Float(value))
    }

    /// Where on the control a value is; one beyond an end is there.
    @_noLocks
    func position(of value: Float) -> Double {
        let (start, end) = (Double(from), Double(to))
        // What is no number is nowhere.
        guard start != end, value == value else { return 0 }
        let inside = max(min(start, end), min(Double(value), max(start, end)))
        let position =
            isLogarithmic
            ? rt_log(inside / start) / rt_log(end / start) : (inside - start) / (end - start)
        return max(0, min(position, 1))
    }

    /// The place of a value among the steps of a control's way, from 0 through `steps`.
    @_noLocks
    func step(of value: Float, of steps: Int32) -> Int32 {
        Int32(rt_round(position(of: value) * Double(steps)))
    }

    /// The nearest value that there is.
    @_noLocks
    private func legal(_ value: Float) -> Float {
        if let points { return points[place(of: value, points)] }
        let rounded = isWhole ? Float(rt_round(Double(value))) : value
        return max(min(from, to), min(rounded, max(from, to)))
    }

    @_noLocks
    private func place(of value: Float, _ points: UnsafePointer<Float>) -> Int {
        var nearest = 0
        for place in 1..<max(1, pointCount)
        where abs(points[place] - value) < abs(points[nearest] - value) { nearest = place }
        return nearest
    }

    // MARK: Steps and switches

    /// The value that is some steps further towards the control's end: 127ths of the way, whole numbers, or entries of
    /// a list.
    @_noLocks
    func value(_ steps: Int32, stepsFrom value: Float) -> Float {
        let way = from <= to ? Int(steps) : -Int(steps)
        if let points {
            return points[max(0, min(place(of: value, points) + way, pointCount - 1))]
        }
        guard isWhole else { return self.value(at: position(of: value) + Double(steps) / 127) }
        let start = value == value ? Double(value) : Double(from)
        return legal(Float(rt_round(start) + Double(way)))
    }

    /// Whether a value lies nearer to the control's end than to its beginning.
    @_noLocks
    func isOn(_ value: Float) -> Bool { from != to && position(of: value) >= 0.5 }
}
