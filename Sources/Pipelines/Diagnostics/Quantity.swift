internal import Processing
internal import Platform
internal import Realtime

/// Formats ranges, counts and alternatives for messages.
enum Quantity {
    /// Formats a range, for example `-120…24 dB`.
    static func text(_ range: ClosedRange<Double>, _ unit: Unit = .none) -> String {
        "\(range.lowerBound.plain)…\(range.upperBound.plain)" + suffix(unit)
    }

    /// Formats a range, for example `-120…24 dB`.
    static func text(_ range: ClosedRange<Float>, _ unit: Unit = .none) -> String {
        "\(range.lowerBound.plain)…\(range.upperBound.plain)" + suffix(unit)
    }

    /// Formats a range, for example `0…127`.
    static func text(_ range: ClosedRange<Int>, _ unit: Unit = .none) -> String {
        "\(range.lowerBound)…\(range.upperBound)" + suffix(unit)
    }

    private static func suffix(_ unit: Unit) -> String {
        unit == .none ? "" : " " + unit.rawValue
    }

    /// Returns the number of seconds that was probably meant if a number is in milliseconds.
    ///
    /// - Parameters:
    ///   - number: A number that is not in the range.
    ///   - range: The allowed range.
    ///   - unit: The unit of the range.
    /// - Returns: The number of seconds; `nil` for other units, if it is not in the range, or if the
    ///   number is only slightly too large.
    static func seconds(
        ofMilliseconds number: Double, in range: ClosedRange<Double>, _ unit: Unit
    ) -> String? {
        let seconds = number / 1000
        guard unit == .seconds, number > 4 * range.upperBound, range.contains(seconds) else {
            return nil
        }
        return seconds.plain
    }

    /// Returns the factor that was probably meant if a number is a gain in dB.
    ///
    /// - Parameters:
    ///   - number: A number that is not in the range.
    ///   - range: The allowed factors.
    /// - Returns: The factor with the gain; `nil` if the number is not negative, or if the factor is
    ///   not in the range.
    static func factor(ofDecibels number: Double, in range: ClosedRange<Double>) -> String? {
        let factor = Decibels(number).amplitude
        guard number < 0, range.contains(factor) else { return nil }
        return "\(factor.fixed(4)), which is \(number.plain) dB"
    }

    /// Formats a number of channels: `1 channel`, `2 channels`.
    static func channels(_ count: Int) -> String { "\(count) channel" + (count == 1 ? "" : "s") }

    /// Formats a number of entries: `1 entry`, `2 entries`.
    static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

    /// Formats alternatives: `"a", "b" or "c"`; a long list is cut.
    static func alternatives(_ names: [String]) -> String {
        guard names.count <= 16 else {
            return names.prefix(16).joined(separator: ", ") + " …"
        }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
