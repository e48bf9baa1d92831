/// The regular expressions of `connect`.
public enum ConnectionPattern {
    /// The longest expression in bytes; the parser's recursion depth grows with nested groups.
    static let maximumBytes = 256

    /// Returns whether a pattern matches a whole port name; `false` if the pattern is not valid.
    public static func matches(_ pattern: String, port name: String) -> Bool {
        guard let expression = try? Regex(pattern) else { return false }
        return (try? expression.wholeMatch(in: name)) != nil
    }

    /// Returns why a pattern cannot be used; `nil` if it can.
    static func error(in pattern: String) -> String? {
        guard pattern.utf8.count <= maximumBytes else {
            return "it is longer than \(maximumBytes) bytes"
        }
        do {
            _ = try Regex(pattern)
            return nil
        } catch {
            return Quoted.shortened(String(describing: error), to: 120)
        }
    }
}
