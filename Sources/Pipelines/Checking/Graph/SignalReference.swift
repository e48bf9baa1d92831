/// A signal as files name it: `name`, `name:2`, or for a plugin's port `name:out_l`.
struct SignalReference {
    let text: String
    let name: String
    let part: Part

    /// Which of its channels.
    enum Part {
        case all
        /// From 1; what is no channel number of any signal is 0.
        case channel(Int)
        case port(String)
    }

    /// All channels of a signal that was found by itself, whatever its name looks like.
    init(allOf name: String) {
        text = name
        self.name = name
        part = .all
    }

    /// What a file's text means.
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
        // A channel has one spelling, so that "in:1" and "in:01" are not two strips of one signal.
        part =
            isNumber
            ? .channel(rest.utf8.first == UInt8(ascii: "0") ? 0 : Int(rest) ?? 0)
            : .port(String(rest))
    }
}
