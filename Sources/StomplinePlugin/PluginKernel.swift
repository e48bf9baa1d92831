internal import Processing

/// A kernel that a plugin wraps.
protocol PluginKernel: Kernel, ~Copyable {
    associatedtype Parameter: PluginParameter
    /// The values that the kernel reports, in the order of the effect's description; `nil` without
    /// any.
    var reportValues: UnsafePointer<Float>? { get }
    /// The number of these values.
    var reportCount: Int { get }
}

extension PluginKernel where Self: ~Copyable {
    var reportValues: UnsafePointer<Float>? { nil }
    var reportCount: Int { 0 }
}

/// A parameter with a port.
protocol PluginParameter: EffectParameter {
    /// The lowest and the highest value.
    var range: ClosedRange<Float> { get }
    /// The value if the host has none.
    var defaultValue: Float { get }
}

extension PluginParameter {
    /// Limits a host's value to the range; the default replaces a missing value and NaN.
    func limited(_ value: Float?) -> Float {
        guard let value, value == value else { return defaultValue }
        return min(max(value, range.lowerBound), range.upperBound)
    }
}
