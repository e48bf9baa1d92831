/// The text of a pipeline's or a setlist's file, which changes in single places while every other byte stays.
public struct PipelineText: Sendable {
    /// The whole text.
    public let bytes: [UInt8]
    let document: Document

    /// Reads a text.
    ///
    /// - Throws: `EditFault` where it is no sound JSON object.
    public init(_ bytes: [UInt8]) throws(EditFault) {
        let faults = FaultList()
        document = Document(parsing: bytes, faults: faults)
        self.bytes = bytes
        if let fault = faults.diagnostics(of: document, file: "").first {
            throw EditFault("line \(fault.line), column \(fault.column): \(fault.message)")
        }
        guard case .object = document.root.content else {
            throw EditFault("the file holds no JSON object")
        }
    }

    /// Reads a file.
    ///
    /// - Throws: `EditFault` where it can't be read or is no sound JSON object.
    public init(ofFile path: String) throws(EditFault) {
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: path)
        } catch {
            throw EditFault("\(Quoted(path)) can't be read: \(error.reason)")
        }
        try self.init(contents.bytes)
    }

    /// The text with a value at an RFC 6901 pointer replaced, or added where its object has no such key yet.
    ///
    /// - Throws: `EditFault` where the pointer leads nowhere.
    public func replacing(_ pointer: String, with value: JSONValue) throws(EditFault)
        -> PipelineText
    {
        let style = TextStyle(of: document)
        var tokens = pointer.split(separator: "/", omittingEmptySubsequences: false).map(
            Self.unescaped)
        guard tokens.count > 1, tokens.removeFirst().isEmpty, let last = tokens.popLast() else {
            throw EditFault("\(Quoted(pointer)) points to nothing that can be replaced")
        }
        var parent = document.root
        for token in tokens {
            guard let child = Self.child(token, of: parent) else {
                throw EditFault("\(Quoted(pointer)) leads nowhere: there is no \(Quoted(token))")
            }
            parent = child
        }
        if let old = Self.child(last, of: parent) {
            return try replacing(old.start..<old.end, with: style.text(of: value))
        }
        guard case .object = parent.content else {
            throw EditFault("\(Quoted(pointer)) leads nowhere: there is no \(Quoted(last))")
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
        // In this order: `~01` is `~1`.
        token.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
            .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }

    // MARK: Changing bytes

    func replacing(_ range: Range<Int>, with text: String) throws(EditFault) -> PipelineText {
        var changed = bytes
        changed.replaceSubrange(range, with: text.utf8)
        return try PipelineText(changed)
    }

    /// The text with an entry added at the end of an array or an object, laid out as the last one is.
    func adding(
        _ text: String, to container: JSONElement, _ style: TextStyle
    ) throws(EditFault) -> PipelineText {
        let starts = container.elements.map(\.start) + container.members.map(\.start)
        let ends = container.elements.map(\.end) + container.members.map(\.value.end)
        guard let start = starts.last, let end = ends.last else {
            return try filling(container, with: text, style)
        }
        let line = TextStyle.lineSpace(before: start, in: bytes)
        let separator = line.map { "," + $0 } ?? style.comma
        return try replacing(end..<end, with: separator + text)
    }

    /// As `adding`, for what has no entry yet; the space inside its brackets stays.
    private func filling(
        _ container: JSONElement, with text: String, _ style: TextStyle
    ) throws(EditFault) -> PipelineText {
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
