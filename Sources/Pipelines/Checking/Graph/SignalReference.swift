/// A reference to a signal: `name`, `name:2`, or `name:out_l` for a port of a plugin.
struct SignalReference {
    let text: String
    let name: String
    let part: Part

    /// The part of the signal's channels that the reference selects.
    enum Part {
        case all
        /// A channel number, from 1; 0 for a number that no signal can have.
        case channel(Int)
        case port(String)
    }

    /// Refers to all channels of a signal that is known, even if its name contains a colon.
    init(allOf name: String) {
        text = name
        self.name = name
        part = .all
    }

    /// Parses a reference in a file.
    init(_ text: String) {
        self.text = text
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            name = text
            part = .all
            return
        }
        name = String(text[..<colon])
        let rest = text[text.utf8.index(after: colon)...]
        let isNumber = !rest.isEmpty && rest.utf8.allSatisfy(TextScanner.isDigit)
        // A channel has only one spelling, so that "in:1" and "in:01" are not two strips of one
        // signal.
        part =
            isNumber
            ? .channel(rest.utf8.first == UInt8(ascii: "0") ? 0 : Int(rest) ?? 0)
            : .port(String(rest))
    }
}
