/// Words as text in a JSON file: 16 hexadecimal digits for each.
enum HexadecimalWords {
    /// Returns the text of words.
    static func text(_ words: [UInt64]) -> String {
        var text = ""
        for word in words {
            let digits = String(word, radix: 16)
            text += String(repeating: "0", count: 16 - digits.count) + digits
        }
        return text
    }

    /// Returns the words of a text; `nil` if it is not valid.
    static func words(_ text: String) -> [UInt64]? {
        var words: [UInt64] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard rest.utf8.count >= 16, let word = UInt64(rest.prefix(16), radix: 16) else {
                return nil
            }
            words.append(word)
            rest = rest.dropFirst(16)
        }
        return words
    }
}
