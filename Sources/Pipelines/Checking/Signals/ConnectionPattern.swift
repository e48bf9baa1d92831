/// The regular expressions of `connect`.
public enum ConnectionPattern {
    /// The most bytes of an expression, as its reader goes as deep as its groups do.
    static let maximumBytes = 256

    /// Whether a port's full name matches as a whole; false where `pattern` does not compile.
    public static func matches(_ pattern: String, port name: String) -> Bool {
        guard let expression = try? Regex(pattern) else { return false }
        return (try? expression.wholeMatch(in: name)) != nil
    }

    /// Why `pattern` can't be used; nil where it can.
    static func fault(in pattern: String) -> String? {
        guard pattern.utf8.count <= maximumBytes else {
            return "it has more than \(maximumBytes) characters"
        }
        do {
            _ = try Regex(pattern)
            return nil
        } catch {
            return Quoted.shortened(String(describing: error), to: 120)
        }
    }
}
