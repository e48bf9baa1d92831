/// An error at an offset in the text; it becomes a `Diagnostic` when all errors are known.
struct PipelineError {
    /// The offset of the error in bytes.
    var offset: Int
    /// The key in question if the tree has no value at `offset`, as for a duplicate key.
    var key: String?
    var code: Diagnostic.Code
    var message: String
    var suggestion: String?
}

/// Collects the errors of a file.
package final class ErrorList {
    private(set) var errors: [PipelineError] = []
    private var errorOffsets: Set<Int> = []
    private var syntaxOffset = -1
    /// The number of name comparisons that may still be made to find suggestions.
    private var comparisonsLeft = 200_000
    private var missingPluginCount = 0

    /// The largest number of reported errors per file.
    private static let maximumCount = 1000

    package init() {}

    package var isEmpty: Bool { errors.isEmpty }
    /// Whether further errors are dropped.
    var isFull: Bool { errors.count > Self.maximumCount }

    /// Adds an error for the value or key at `offset`; creates the texts only if it is kept.
    func report(
        _ code: Diagnostic.Code, at offset: Int, key: String? = nil,
        _ message: @autoclosure () -> String, suggestion: @autoclosure () -> String? = nil
    ) {
        guard !isFull else { return }
        errorOffsets.insert(offset)
        let message = message()
        // A setlist's binding is checked for each song, but its errors are reported only once.
        guard !errors.contains(where: { $0.offset == offset && $0.message == message }) else {
            return
        }
        let error = PipelineError(
            offset: offset, key: key, code: code, message: message, suggestion: suggestion())
        errors.append(errors.count < Self.maximumCount ? error : Self.tooMany(at: offset))
    }

    /// Adds a syntax error, but only one per offset, because the others would be consequences.
    func reportSyntax(
        at offset: Int, _ message: @autoclosure () -> String,
        suggestion: @autoclosure () -> String? = nil
    ) {
        guard offset != syntaxOffset else { return }
        syntaxOffset = offset
        report(.syntax, at: offset, message(), suggestion: suggestion())
    }

    /// Suppresses a syntax error at `offset`, which would be a consequence of an earlier one.
    func ignoreSyntax(at offset: Int) { syntaxOffset = offset }

    private static func tooMany(at offset: Int) -> PipelineError {
        PipelineError(
            offset: offset, code: .limit,
            message: "the file has more than \(maximumCount) errors; the others are not reported")
    }

    /// Returns whether a value has an error, so that further errors about it would be repetitions.
    func isInvalid(_ element: JSONElement) -> Bool {
        element.isBroken || errorOffsets.contains(element.start)
    }

    /// Returns whether a key has an error.
    func isInvalid(keyOf member: JSONMember) -> Bool { errorOffsets.contains(member.start) }

    /// Returns whether any part of a value has an error.
    func hasError(within element: JSONElement?) -> Bool {
        guard let element else { return false }
        return errors.contains { (element.start..<element.end).contains($0.offset) }
    }

    /// Counts an error caused by a plugin that is not installed.
    func countMissingPlugin() { missingPluginCount += 1 }

    /// Whether all errors are caused by plugins that are not installed.
    var hasOnlyMissingPlugins: Bool { !isEmpty && errors.count == missingPluginCount }

    /// Returns the candidate that is most similar to a wrong name.
    ///
    /// The search is expensive, so it stops in files with very many errors.
    func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
        guard comparisonsLeft > 0, !isFull else { return nil }
        comparisonsLeft -= candidates.underestimatedCount
        return Nearest.name(to: name, in: candidates)
    }

    /// Returns all errors in the order of the text, with lines, columns and pointers.
    package func diagnostics(of document: Document, file: String) -> [Diagnostic] {
        locatedErrors(of: document, file: file).map(\.diagnostic)
    }

    /// Returns all errors in the order of the text, each with its offset and its diagnostic.
    func locatedErrors(
        of document: Document, file: String
    ) -> [(error: PipelineError, diagnostic: Diagnostic)] {
        let sorted = errors.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        var position = TextPosition()
        return sorted.map { _, error in
            position.advance(to: error.offset, in: document.bytes)
            let key = error.key.map { "/" + Document.escaped($0) } ?? ""
            let diagnostic = Diagnostic(
                file: file, line: position.line, column: position.column,
                pointer: document.pointer(at: error.offset) + key, code: error.code,
                message: error.message, suggestion: error.suggestion)
            return (error, diagnostic)
        }
    }
}
