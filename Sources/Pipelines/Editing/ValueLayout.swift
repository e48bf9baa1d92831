/// Writes a new value into a file in the layout of the values around it.
struct ValueLayout {
    let style: TextStyle
    /// The text of the file, in which the models are.
    let bytes: [UInt8]

    /// Returns the text of a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - indentation: The indentation of the line on which the value begins.
    ///   - model: A value of the file whose layout is copied; `nil` without one.
    /// - Returns: The text, without space around it.
    func text(of value: JSONFragment, at indentation: String, like model: JSONElement?) -> String {
        var text = ""
        write(value.root, of: value.bytes, to: &text, indentation, model)
        return text
    }

    private func write(
        _ element: JSONElement, of source: [UInt8], to text: inout String,
        _ indentation: String, _ model: JSONElement?
    ) {
        switch element.content {
        case .array where !element.hasEntries: text += "[]"
        case .object where !element.hasEntries: text += "{}"
        case .array, .object: writeEntries(of: element, source, to: &text, indentation, model)
        case .string(let string): text += JSONValue.string(string).text
        case .null, .bool, .number, .broken:
            text += String(decoding: source[element.start..<element.end], as: UTF8.self)
        }
    }

    private func writeEntries(
        of element: JSONElement, _ source: [UInt8], to text: inout String, _ indentation: String,
        _ model: JSONElement?
    ) {
        let model = model.flatMap { $0.hasEntries && $0.isContainer(like: element) ? $0 : nil }
        let isObject = if case .object = element.content { true } else { false }
        let inner = indentation + (style.indentation ?? "")
        let isOnLines = model.map { self.isOnLines($0) } ?? isLong(element)
        let padding = isOnLines ? "" : self.padding(isObject, model)
        text += (isObject ? "{" : "[") + padding
        for (index, entry) in element.entryValues.enumerated() {
            if index > 0 { text += isOnLines ? "," : style.comma }
            if isOnLines { text += style.newline + inner }
            var sibling = model.flatMap { self.model(for: entry, among: $0.entryValues) }
            if isObject {
                let key = element.members[index].key
                text += JSONValue.string(key).text + style.colon
                sibling = model?[key] ?? sibling
            }
            write(entry, of: source, to: &text, inner, sibling)
        }
        text += isOnLines ? style.newline + indentation : padding
        text += isObject ? "}" : "]"
    }

    private func padding(_ isObject: Bool, _ model: JSONElement?) -> String {
        guard let model else { return isObject ? style.padding : "" }
        return bytes.dropFirst(model.start + 1).first == UInt8(ascii: " ") ? " " : ""
    }

    /// Returns whether the entries of an array or object in the file begin on lines of their own.
    func isOnLines(_ element: JSONElement) -> Bool {
        guard let first = element.entrySpans.first else { return false }
        return TextStyle.lineSpace(before: first.lowerBound, in: bytes) != nil
    }

    /// Returns whether a value without a model is too long for one line: a list of lists or objects
    /// in a file with lines.
    private func isLong(_ element: JSONElement) -> Bool {
        style.indentation != nil && element.elements.contains(where: \.hasEntries)
    }

    /// Returns the value whose layout a new value copies: the last array for an array, the last
    /// object for an object.
    func model(for value: JSONElement, among siblings: [JSONElement]) -> JSONElement? {
        siblings.last { $0.hasEntries && $0.isContainer(like: value) }
    }
}
