extension PipelineText {
    /// Returns the text after all operations of a patch; all bytes that they do not concern remain.
    ///
    /// A new value copies the layout of the values around it, and keeps the spelling of its numbers.
    /// A moved or copied value keeps its own layout.
    ///
    /// - Throws: `PatchError` for the first operation that is not possible; its message names the
    ///   operation, its path, and what exists there.
    public func applying(_ patch: JSONPatch) throws(PatchError) -> PipelineText {
        guard bytes.count <= JSONPatch.mostTextBytes else {
            throw PatchError("the file is larger than 1 MiB, so it cannot be edited in this way")
        }
        var text = self
        for (index, operation) in patch.operations.enumerated() {
            do throws(EditError) {
                text = try text.applying(operation)
                guard text.bytes.count <= JSONPatch.mostTextBytes else {
                    throw EditError("the file would be larger than 1 MiB")
                }
            } catch {
                let path = operation.path.text
                throw PatchError(
                    "operation \(index), \(operation.name) \(Quoted(path)): \(error.message)",
                    operation: index, path: path)
            }
        }
        return text
    }

    private func applying(_ operation: JSONPatch.Operation) throws(EditError) -> PipelineText {
        let path = operation.path
        switch operation.kind {
        case .add(let value): return try adding(.new(value), at: path)
        case .remove: return try removing(path)
        case .replace(let value): return try replacing(try element(at: path), .new(value), path)
        case .move(let from):
            guard !path.isInside(from) else {
                throw EditError("\(Quoted(from.text)) cannot be moved into itself")
            }
            let value = try copy(of: from)
            return from == path ? self : try removing(from).adding(value, at: path)
        case .copy(let from): return try adding(try copy(of: from), at: path)
        case .test(let value):
            let found = try element(at: path)
            guard found.isEqual(to: value.root) else {
                throw EditError("the value is \(document.text(of: found))")
            }
            return self
        case .rename(let key): return try renaming(path, to: key)
        }
    }

    // MARK: Values

    /// A value that is written into the file.
    private enum Inserted {
        /// A value that gets the layout of its siblings.
        case new(JSONFragment)
        /// A part of the file, and the indentation of the line on which it began.
        case copied(JSONFragment, indentation: String)

        var root: JSONElement {
            switch self {
            case .new(let value), .copied(let value, _): value.root
            }
        }
    }

    private func copy(of path: JSONPointer) throws(EditError) -> Inserted {
        let element = try element(at: path)
        return .copied(
            JSONFragment(element, of: bytes),
            indentation: TextStyle.lineIndentation(at: element.start, in: bytes))
    }

    private func text(
        of value: Inserted, at indentation: String, like model: JSONElement?, _ layout: ValueLayout
    ) -> String {
        switch value {
        case .new(let value): return layout.text(of: value, at: indentation, like: model)
        case .copied(let value, let former):
            let text = String(decoding: value.bytes, as: UTF8.self)
            // A string contains no line break, so each one is part of the layout.
            return former == indentation
                ? text : text.replacingLineStarts(former, with: indentation)
        }
    }

    private var layout: ValueLayout {
        ValueLayout(style: TextStyle(of: document), bytes: bytes)
    }

    // MARK: Places

    /// Returns the value at a place.
    ///
    /// - Throws: `EditError`, which says what exists instead.
    private func element(at path: JSONPointer) throws(EditError) -> JSONElement {
        var element = document.root
        for (depth, token) in path.tokens.enumerated() {
            let place = JSONPointer(tokens: Array(path.tokens.prefix(depth)))
            switch element.content {
            case .object:
                guard let child = element[token] else {
                    throw Self.missing(key: token, in: element, at: place)
                }
                element = child
            case .array(let elements):
                element =
                    elements[
                        try Self.index(token, in: elements, at: place, upTo: elements.count - 1)]
            default: throw noContainer(element, at: place)
            }
        }
        return element
    }

    private static func name(of place: JSONPointer) -> String {
        place.tokens.isEmpty ? "the file" : Quoted(place.text).description
    }

    private static func missing(
        key: String, in element: JSONElement, at place: JSONPointer
    ) -> EditError {
        let keys = element.members.map(\.key)
        var message = "\(name(of: place)) has no key \(Quoted(key))"
        if let near = Nearest.name(to: key, in: keys) {
            message += "; did you mean \(Quoted(near))?"
        } else if keys.isEmpty {
            message += "; it is empty"
        } else {
            let listed = keys.prefix(8).map { Quoted($0).description }.joined(separator: ", ")
            message += "; it has \(listed)" + (keys.count > 8 ? ", …" : "")
        }
        return EditError(message)
    }

    private static func index(
        _ token: String, in elements: [JSONElement], at place: JSONPointer, upTo last: Int
    ) throws(EditError) -> Int {
        if let index = Int(token), String(index) == token, (0..<last + 1).contains(index) {
            return index
        }
        let count = elements.count == 1 ? "1 entry" : "\(elements.count) entries"
        let allowed =
            switch last {
            case ..<0: "there is none"
            case 0: "the index can only be 0"
            default: "the index must be 0…\(last)"
            }
        throw EditError("\(name(of: place)) has \(count): \(allowed), not \(Quoted(token))")
    }

    private func noContainer(_ element: JSONElement, at place: JSONPointer) -> EditError {
        EditError("\(Self.name(of: place)) is \(document.text(of: element)), which has no entries")
    }

    // MARK: Changes

    private func replacing(
        _ old: JSONElement, _ value: Inserted, _ path: JSONPointer
    ) throws(EditError) -> PipelineText {
        let layout = layout
        var model: JSONElement? = old
        if !old.hasEntries || !old.isContainer(like: value.root), !path.tokens.isEmpty {
            model = layout.model(for: value.root, among: try element(at: path.parent).entryValues)
        }
        let indentation = TextStyle.lineIndentation(at: old.start, in: bytes)
        return try replacing(
            old.start..<old.end, with: text(of: value, at: indentation, like: model, layout))
    }

    private func adding(
        _ value: Inserted, at path: JSONPointer
    ) throws(EditError) -> PipelineText {
        guard let last = path.tokens.last else {
            return try replacing(document.root, value, path)
        }
        let container = try element(at: path.parent)
        switch container.content {
        case .object:
            if let old = container[last] { return try replacing(old, value, path) }
            let key = JSONValue.string(last).text + TextStyle(of: document).colon
            return try inserting(value, key: key, into: container, at: nil, path)
        case .array(let elements):
            let index =
                last == "-"
                ? elements.count
                : try Self.index(last, in: elements, at: path.parent, upTo: elements.count)
            return try inserting(
                value, key: "", into: container, at: index < elements.count ? index : nil, path)
        default: throw noContainer(container, at: path.parent)
        }
    }

    /// Inserts an entry into an array or object.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key and the colon of a member; empty for an element.
    ///   - container: The array or object.
    ///   - index: The index of the entry before which the value is inserted; `nil` for the end.
    ///   - path: The place of the value.
    /// - Returns: The text.
    /// - Throws: `EditError` if the text is not valid any more, for example nested too deep.
    private func inserting(
        _ value: Inserted, key: String, into container: JSONElement, at index: Int?,
        _ path: JSONPointer
    ) throws(EditError) -> PipelineText {
        let layout = layout
        let spans = container.entrySpans
        let model = layout.model(for: value.root, among: container.entryValues)
        guard let last = spans.last else { return try filling(container, value, key, path) }
        let neighbour = index.map { spans[$0] } ?? last
        let indentation = TextStyle.lineIndentation(at: neighbour.lowerBound, in: bytes)
        let text = key + self.text(of: value, at: indentation, like: model, layout)
        guard let index else { return try adding(text, to: container, layout.style) }
        let start = spans[index].lowerBound
        return try replacing(start..<start, with: text + gap(before: index, spans, layout.style))
    }

    /// Returns the separator between two entries near an index, as the file has it.
    private func gap(before index: Int, _ spans: [Range<Int>], _ style: TextStyle) -> String {
        guard spans.count > 1 else {
            let line = TextStyle.lineSpace(before: spans[0].lowerBound, in: bytes)
            return line.map { "," + $0 } ?? style.comma
        }
        let second = max(1, index)
        let first = second - 1
        let (end, start) = (spans[first].upperBound, spans[second].lowerBound)
        return String(decoding: bytes[end..<start], as: UTF8.self)
    }

    /// Adds the first entry of a container, on a line of its own if the containers around have it
    /// so.
    private func filling(
        _ container: JSONElement, _ value: Inserted, _ key: String, _ path: JSONPointer
    ) throws(EditError) -> PipelineText {
        let layout = layout
        let style = layout.style
        let outer = TextStyle.lineIndentation(at: container.start, in: bytes)
        let inner = outer + (style.indentation ?? "")
        let text = key + self.text(of: value, at: inner, like: nil, layout)
        let isTight = container.end - container.start == 2
        guard isTight, style.indentation != nil, !path.parent.tokens.isEmpty else {
            return try adding(text, to: container, style)
        }
        let siblings = try element(at: path.parent.parent).entryValues
        guard
            let model = layout.model(for: container, among: siblings)
                ?? siblings.last(where: \.hasEntries),
            layout.isOnLines(model)
        else { return try adding(text, to: container, style) }
        return try replacing(
            container.start + 1..<container.start + 1,
            with: style.newline + inner + text + style.newline + outer)
    }

    /// Gives a member another key; its value and its place remain.
    private func renaming(_ path: JSONPointer, to key: String) throws(EditError) -> PipelineText {
        guard let old = path.tokens.last else { throw EditError("the whole file has no key") }
        _ = try element(at: path)
        let container = try element(at: path.parent)
        guard let member = container.members.first(where: { $0.key == old }) else {
            throw EditError("\(Self.name(of: path.parent)) is an array, which has no keys")
        }
        guard key != old else { return self }
        guard container[key] == nil else {
            throw EditError("\(Self.name(of: path.parent)) already has a key \(Quoted(key))")
        }
        return try replacing(
            member.start..<endOfString(at: member.start), with: JSONValue.string(key).text)
    }

    /// Returns the offset after the string that begins at an offset.
    private func endOfString(at start: Int) -> Int {
        var offset = start + 1
        while bytes[offset] != UInt8(ascii: "\"") {
            offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
        }
        return offset + 1
    }

    private func removing(_ path: JSONPointer) throws(EditError) -> PipelineText {
        guard let token = path.tokens.last else {
            throw EditError("the whole file cannot be removed")
        }
        _ = try element(at: path)
        let container = try element(at: path.parent)
        let spans = container.entrySpans
        let found = Int(token).flatMap { container.members.isEmpty ? $0 : nil }
        guard let index = found ?? container.members.firstIndex(where: { $0.key == token }) else {
            return self
        }
        if spans.count == 1 {
            return try replacing(container.start + 1..<container.end - 1, with: "")
        }
        let (previous, next) = (index - 1, index + 1)
        guard next < spans.count else {
            return try replacing(spans[previous].upperBound..<spans[index].upperBound, with: "")
        }
        return try replacing(spans[index].lowerBound..<spans[next].lowerBound, with: "")
    }
}

extension TextStyle {
    /// Returns the space at the beginning of the line that contains an offset.
    static func lineIndentation(at offset: Int, in bytes: [UInt8]) -> String {
        let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let space = bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
        return String(decoding: space, as: UTF8.self)
    }
}

extension String {
    /// Returns the text with another beginning of all lines after the first one.
    fileprivate func replacingLineStarts(_ old: String, with new: String) -> String {
        let lines = utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let changed = lines.enumerated().map { index, line in
            guard index > 0, line.starts(with: old.utf8) else { return String(line) ?? "" }
            return new + (String(line.dropFirst(old.utf8.count)) ?? "")
        }
        return changed.joined(separator: "\n")
    }
}
