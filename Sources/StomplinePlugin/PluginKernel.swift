internal import CRealtime

/// What a plugin wraps: an effect's kernel.
protocol PluginKernel: ~Copyable {
    /// How many parameters it has.
    static var parameterCount: Int { get }
    /// What a parameter's values are held in.
    static func range(ofParameter index: Int) -> ParameterRange
    /// How many frames after an impulse goes in it comes out.
    var latencyFrames: Int { get }

    mutating func set(_ parameter: Int32, to value: Float)
    mutating func reset()
    mutating func run(_ block: UnsafePointer<RTBlock>)
}

/// The lowest and the highest value of a parameter, and what it is where a host gives none.
struct ParameterRange: BitwiseCopyable {
    let lowest: Float
    let highest: Float
    var defaultValue: Float = 0

    /// A host's value, held in the range; what is not a number is the default.
    @_noLocks @inline(__always)
    func held(_ value: Float?) -> Float {
        guard let value, value == value else { return defaultValue }
        return value < lowest ? lowest : value > highest ? highest : value
    }
}
