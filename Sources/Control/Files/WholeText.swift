/// Recognizes JSON texts that are completely written.
package enum WholeText {
    /// Returns whether a text begins with a brace, and this object ends with the text.
    ///
    /// A text that is written from its beginning to its end is whole only at its end, so a program
    /// that saves it in pieces cannot be mistaken for one that is ready. The text may still have
    /// other errors.
    ///
    /// - Parameter bytes: The text.
    /// - Returns: Whether it is whole.
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var hasEnded = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            if byte <= UInt8(ascii: " ") { continue }
            if hasEnded { return false }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { hasEnded = true }
            case UInt8(ascii: "\""):
                isInString = true
            default: break
            }
            // Something is outside of the object.
            if depth < 0 || depth == 0 && !hasEnded { return false }
        }
        return hasEnded
    }
}
