/// The text of a pipeline or setlist file; an edit changes one place and keeps all other bytes.
public struct PipelineText: Sendable {
    /// The whole text.
    public let bytes: [UInt8]
    let document: Document

    /// Parses a text.
    ///
    /// - Throws: `EditError` if the text is not a valid JSON object.
    public init(_ bytes: [UInt8]) throws(EditError) {
        let errors = ErrorList()
        document = Document(parsing: bytes, errors: errors)
        self.bytes = bytes
        if let error = errors.diagnostics(of: document, file: "").first {
            throw EditError("line \(error.line), column \(error.column): \(error.message)")
        }
        guard case .object = document.root.content else {
            throw EditError("the file does not contain a JSON object")
        }
    }

    /// Reads a file.
    ///
    /// - Throws: `EditError` if the file cannot be read or is not a valid JSON object.
    public init(ofFile path: String) throws(EditError) {
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: path)
        } catch {
            throw EditError("\(Quoted(path)) cannot be read: \(error.reason)")
        }
        try self.init(contents.bytes)
    }

    /// Returns the text with the value at a JSON pointer (RFC 6901) replaced, or its key added.
    ///
    /// - Throws: `EditError` if the parent of the value does not exist.
    public func replacing(_ pointer: String, with value: JSONValue) throws(EditError)
        -> PipelineText
    {
        let style = TextStyle(of: document)
        var tokens = pointer.split(separator: "/", omittingEmptySubsequences: false).map(
            Self.unescaped)
        guard tokens.count > 1, tokens.removeFirst().isEmpty, let last = tokens.popLast() else {
            throw EditError("\(Quoted(pointer)) does not point to a value that can be replaced")
        }
        var parent = document.root
        for token in tokens {
            guard let child = Self.child(token, of: parent) else {
                throw EditError("\(Quoted(pointer)) does not exist: there is no \(Quoted(token))")
            }
            parent = child
        }
        if let old = Self.child(last, of: parent) {
            return try replacing(old.start..<old.end, with: style.text(of: value))
        }
        guard case .object = parent.content else {
            throw EditError("\(Quoted(pointer)) does not exist: there is no \(Quoted(last))")
        }
        return try adding(style.text(of: .init(last, value)), to: parent, style)
    }

    private static func child(_ token: String, of parent: JSONElement) -> JSONElement? {
        guard case .array(let elements) = parent.content else { return parent[token] }
        guard let place = Int(token), String(place) == token, elements.indices.contains(place)
        else { return nil }
        return elements[place]
    }

    private static func unescaped(_ token: Substring) -> String {
        // This order decodes `~01` to `~1`.
        token.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
            .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }

    // MARK: Changing bytes

    func replacing(_ range: Range<Int>, with text: String) throws(EditError) -> PipelineText {
        var changed = bytes
        changed.replaceSubrange(range, with: text.utf8)
        return try PipelineText(changed)
    }

    /// Returns the text with an entry added to an array or object, in the style of the last entry.
    func adding(
        _ text: String, to container: JSONElement, _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        let starts = container.elements.map(\.start) + container.members.map(\.start)
        let ends = container.elements.map(\.end) + container.members.map(\.value.end)
        guard let start = starts.last, let end = ends.last else {
            return try filling(container, with: text, style)
        }
        let line = TextStyle.lineSpace(before: start, in: bytes)
        let separator = line.map { "," + $0 } ?? style.comma
        return try replacing(end..<end, with: separator + text)
    }

    /// Adds the first entry to an empty container; the space inside its brackets stays.
    private func filling(
        _ container: JSONElement, with text: String, _ style: TextStyle
    ) throws(EditError) -> PipelineText {
        let place = container.start + 1
        let isTight = container.end - place == 1
        let closing = TextStyle.lineSpace(before: container.end - 1, in: bytes)
        if let closing, let indentation = style.indentation {
            return try replacing(place..<place, with: closing + indentation + text)
        }
        let padding = isTight ? style.padding : ""
        return try replacing(place..<place, with: style.padding + text + padding)
    }
}
