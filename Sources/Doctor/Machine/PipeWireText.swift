/// The values in a configuration file of PipeWire, which has a relaxed form of JSON: quotes, commas
/// and colons can be left out, `=` is a colon, and `#` begins a comment.
struct PipeWireText {
    /// A piece of the text.
    private enum Token: Equatable {
        case word(String)
        /// One of `{}[]`.
        case bracket(Character)
    }

    /// More nested objects than any real file has.
    private static let deepest = 32

    /// The values by their place: the keys from the outermost one, with slashes between them.
    ///
    /// A list has several values.
    private(set) var values: [String: [String]] = [:]

    /// Reads a text as far as it has the expected form.
    init(_ text: String) {
        // The keys of the objects and lists that contain the present place; "" for an entry of a
        // list.
        var places: [String] = []
        var key: String?
        var isList: [Bool] = []
        for token in Self.tokens(of: text) {
            switch token {
            case .bracket("{"), .bracket("["):
                guard places.count < Self.deepest else { return }
                places.append(key ?? "")
                isList.append(token == .bracket("["))
                key = nil
            case .bracket:
                guard !places.isEmpty else { return }
                places.removeLast()
                isList.removeLast()
                key = nil
            case .word(let word):
                if isList.last == true {
                    values[places.joined(separator: "/"), default: []].append(word)
                } else if let place = key {
                    values[(places + [place]).joined(separator: "/")] = [word]
                    key = nil
                } else {
                    key = word
                }
            }
        }
    }

    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var word = ""
        var isQuoted = false
        var isComment = false
        func end() {
            if !word.isEmpty { tokens.append(.word(word)) }
            word = ""
        }
        for character in text {
            switch character {
            case _ where isComment: isComment = !character.isNewline
            case "\"":
                if isQuoted { tokens.append(.word(word)) } else { end() }
                if isQuoted { word = "" }
                isQuoted.toggle()
            case _ where isQuoted: word.append(character)
            case "#":
                end()
                isComment = true
            case "{", "}", "[", "]":
                end()
                tokens.append(.bracket(character))
            case "=", ":", ",",
                _ where character.isWhitespace:
                end()
            default: word.append(character)
            }
        }
        end()
        return tokens
    }
}

/// The settings of PipeWire's clock, as its configuration files state them.
struct PipeWireSettings {
    /// The frames of a cycle if no program asks for another number.
    let quantum: Int
    /// The fewest frames that a program can ask for.
    let least: Int
    /// The sample rate, in Hz.
    let rate: Int
    /// The sample rates to which PipeWire can change, in Hz.
    let rates: [Int]
    /// The time of a cycle that programs with JACK's interface ask for, such as `256/48000`; `nil` if
    /// no file states it.
    let latency: String?

    /// Reads the files; `nil` if there is none, so that not even the defaults are known.
    init?(of machine: Machine) {
        let files = Self.files("pipewire", on: machine)
        if files.isEmpty { return nil }
        var clock: [String: [String]] = [:]
        for file in files {
            // A later file overrides the values of those before it.
            clock.merge(PipeWireText(machine.text(file) ?? "").values) { $1 }
        }
        func numbers(_ key: String) -> [Int] {
            let texts = clock["context.properties/default.clock.\(key)"] ?? []
            return texts.compactMap { Int($0) }.filter { 1...10_000_000 ~= $0 }
        }
        // The defaults of PipeWire itself.
        rate = numbers("rate").first ?? 48_000
        quantum = numbers("quantum").first ?? 1024
        least = numbers("min-quantum").first ?? 32
        let allowed = numbers("allowed-rates")
        rates = allowed.isEmpty ? [rate] : allowed
        let jack = Self.files("jack", on: machine).compactMap {
            PipeWireText(machine.text($0) ?? "").values["jack.properties/node.latency"]?.first
        }
        latency = jack.last
    }

    /// Returns the configuration files with a name, in the order in which PipeWire reads them.
    private static func files(_ name: String, on machine: Machine) -> [String] {
        let folders =
            ["/usr/share/pipewire", "/etc/pipewire"]
            + [machine.home.map { "\($0)/.config/pipewire" }].compactMap(\.self)
        // Only the most personal one of the main files is read, but all fragments are.
        let main = folders.map { "\($0)/\(name).conf" }.last { machine.exists($0) }
        let fragments = folders.flatMap { folder in
            machine.names(in: "\(folder)/\(name).conf.d").filter { $0.hasSuffix(".conf") }
                .map { "\(folder)/\(name).conf.d/\($0)" }
        }
        return [main].compactMap(\.self) + fragments
    }
}
