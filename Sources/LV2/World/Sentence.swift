/// Text of descriptions, made fit for one line.
enum Sentence {
    /// The first sentence, its white space collapsed; at most 200 characters.
    static func first(of text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let end = firstEnd(of: line) else { return shortened(line) }
        return shortened(String(line[...end]))
    }

    /// Where a full stop stands before a space.
    private static func firstEnd(of line: String) -> String.Index? {
        line.indices.first { place in
            let next = line.index(after: place)
            return line[place] == "." && next < line.endIndex && line[next] == " "
        }
    }

    private static func shortened(_ line: String) -> String {
        line.count <= 200 ? line : line.prefix(199) + "…"
    }
}
