/// Functions that shorten texts from descriptions to one line.
enum Sentence {
    /// Returns the first sentence with collapsed white space, at most 200 characters long.
    static func first(of text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let end = firstEnd(of: line) else { return shortened(line) }
        return shortened(String(line[...end]))
    }

    /// Returns the index of the first full stop that is followed by a space.
    private static func firstEnd(of line: String) -> String.Index? {
        line.indices.first { index in
            let next = line.index(after: index)
            return line[index] == "." && next < line.endIndex && line[next] == " "
        }
    }

    private static func shortened(_ line: String) -> String {
        line.count <= 200 ? line : line.prefix(199) + "…"
    }
}
