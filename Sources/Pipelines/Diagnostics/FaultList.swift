/// A fault by its place in the text; it becomes a `Diagnostic` when all are known.
struct Fault {
    /// The byte at which it stands.
    var offset: Int
    /// The key it is about, where the tree has nothing at `offset`: a key that comes twice.
    var key: String?
    var code: Diagnostic.Code
    var message: String
    var suggestion: String?
}

/// Collects the faults of one file.
package final class FaultList {
    private(set) var faults: [Fault] = []
    private var faultyOffsets: Set<Int> = []
    private var syntaxOffset = -1
    /// How many names are still compared to find those that were meant.
    private var comparisonsLeft = 200_000
    private var missingPluginCount = 0

    /// The most faults that are told of one file.
    static let maximumCount = 1000

    package init() {}

    package var isEmpty: Bool { faults.isEmpty }
    /// Whether further ones are dropped.
    var isFull: Bool { faults.count > Self.maximumCount }

    /// Adds a fault of the value or key that begins at `offset`; the texts are made only if it is kept.
    func report(
        _ code: Diagnostic.Code, at offset: Int, key: String? = nil,
        _ message: @autoclosure () -> String, suggestion: @autoclosure () -> String? = nil
    ) {
        guard !isFull else { return }
        faultyOffsets.insert(offset)
        let message = message()
        // A binding of a setlist is checked for each song; what is wrong with it is told once.
        guard !faults.contains(where: { $0.offset == offset && $0.message == message }) else {
            return
        }
        let fault = Fault(
            offset: offset, key: key, code: code, message: message, suggestion: suggestion())
        faults.append(faults.count < Self.maximumCount ? fault : Self.tooMany(at: offset))
    }

    /// Adds a syntax fault, but one alone for a place: what follows from it says nothing new.
    func reportSyntax(
        at offset: Int, _ message: @autoclosure () -> String,
        suggestion: @autoclosure () -> String? = nil
    ) {
        guard offset != syntaxOffset else { return }
        syntaxOffset = offset
        report(.syntax, at: offset, message(), suggestion: suggestion())
    }

    /// Says nothing of a syntax fault at `offset`, as it only follows from one before.
    func ignoreSyntax(at offset: Int) { syntaxOffset = offset }

    private static func tooMany(at offset: Int) -> Fault {
        Fault(
            offset: offset, code: .limit,
            message: "the file has more than \(maximumCount) faults; the rest is not told")
    }

    /// Whether something was said about the value, so that more about it would be a repetition.
    func isFaulty(_ element: JSONElement) -> Bool {
        element.isBroken || faultyOffsets.contains(element.start)
    }

    /// Whether something was said about a key.
    func isFaulty(keyOf member: JSONMember) -> Bool { faultyOffsets.contains(member.start) }

    /// Whether something was said about any part of the value.
    func hasFault(within element: JSONElement?) -> Bool {
        guard let element else { return false }
        return faults.contains { (element.start..<element.end).contains($0.offset) }
    }

    /// Counts a fault that a plugin which is not installed makes.
    func countMissingPlugin() { missingPluginCount += 1 }

    /// Whether plugins that are not installed are all that is wrong.
    var holdsOnlyMissingPlugins: Bool { !isEmpty && faults.count == missingPluginCount }

    /// The candidate nearest to a wrong name.
    ///
    /// Searching is dear, so it ends where there are very many faults.
    func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
        guard comparisonsLeft > 0, !isFull else { return nil }
        comparisonsLeft -= candidates.underestimatedCount
        return Nearest.name(to: name, in: candidates)
    }

    /// All faults in the order of the text, with lines, columns and pointers.
    package func diagnostics(of document: Document, file: String) -> [Diagnostic] {
        let sorted = faults.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        var position = TextPosition()
        return sorted.map { _, fault in
            position.advance(to: fault.offset, in: document.bytes)
            let key = fault.key.map { "/" + Document.escaped($0) } ?? ""
            return Diagnostic(
                file: file, line: position.line, column: position.column,
                pointer: document.pointer(at: fault.offset) + key, code: fault.code,
                message: fault.message, suggestion: fault.suggestion)
        }
    }
}
