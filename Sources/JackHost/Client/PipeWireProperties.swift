internal import Glibc

/// The properties of a client that PipeWire's JACK library reads from the environment.
public enum PipeWireProperties {
    private static let variable = "PIPEWIRE_PROPS"
    private static let key = "jack.locked-process"

    /// Makes PipeWire's library call the process callback also while another callback runs.
    ///
    /// By default, the library skips the process callback then, and the outputs are silent for one
    /// cycle. JACK's own library never does. A value of the user's remains.
    ///
    /// Call it before the program starts a thread, because it changes the environment.
    public static func playDuringCallbacks() {
        guard JackLibrary.loaded.isPipeWire else { return }
        let given = getenv(variable).map { String(cString: $0) }
        setenv(variable, text(from: given), 1)
    }

    /// Returns the value of the variable.
    ///
    /// - Parameter given: The value that the user has set, with or without braces; `nil` without
    ///   one.
    /// - Returns: The value with all properties of the user's.
    package static func text(from given: String?) -> String {
        let given = given ?? ""
        let tokens = Array(PropertyTokens(given))
        let hasBraces = tokens.first?.kind == .opening
        guard !keys(tokens.dropFirst(hasBraces ? 1 : 0)).contains(key) else { return given }
        let start = (hasBraces ? tokens.first?.end : nil) ?? given.startIndex
        return "\(given[..<start]) \(key) = false \(given[start...])"
    }

    /// Returns the keys of properties, without those of nested objects.
    private static func keys(_ tokens: ArraySlice<PropertyTokens.Token>) -> [String] {
        var keys: [String] = []
        var depth = 0
        var isKey = true
        for token in tokens {
            switch token.kind {
            case .opening: depth += 1
            case .closing: depth -= 1
            case .word(let word): if depth == 0, isKey { keys.append(word) }
            }
            if depth == 0 { isKey.toggle() }
        }
        return keys
    }
}

/// The tokens of a text in PipeWire's variant of JSON, in which quotation marks, commas and the
/// outer braces are optional, and `#` begins a comment.
private struct PropertyTokens: Sequence, IteratorProtocol {
    /// A token, and its end in the text.
    struct Token {
        let kind: Kind
        let end: String.Index
    }

    /// The kind of a token.
    enum Kind: Equatable {
        /// A brace or bracket.
        case opening, closing
        /// A text with or without quotation marks, which are not included.
        case word(String)
    }

    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    mutating func next() -> Token? {
        skipGap()
        guard let first = rest.first else { return nil }
        let kind: Kind
        switch first {
        case "{", "[":
            rest.removeFirst()
            kind = .opening
        case "}", "]":
            rest.removeFirst()
            kind = .closing
        case "\"": kind = .word(popQuoted())
        default: kind = .word(popBare())
        }
        return Token(kind: kind, end: rest.startIndex)
    }

    /// Skips white space, separators and comments.
    private mutating func skipGap() {
        while let first = rest.first {
            if first == "#" {
                rest = rest.drop { $0 != "\n" && $0 != "\r" }
            } else if Self.isSeparator(first) {
                rest.removeFirst()
            } else {
                return
            }
        }
    }

    private mutating func popQuoted() -> String {
        rest.removeFirst()
        var word = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            guard scalar == "\\" else {
                word.append(scalar)
                continue
            }
            if let escaped = rest.popFirst() { word.append(escaped) }
        }
        return String(word)
    }

    private mutating func popBare() -> String {
        let word = rest.prefix { !Self.isSeparator($0) && !"#\"{}[]".unicodeScalars.contains($0) }
        rest = rest[word.endIndex...]
        return String(word)
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || ",:=".unicodeScalars.contains(scalar)
    }
}
