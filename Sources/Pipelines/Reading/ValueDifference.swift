internal import Processing

/// The only value in which the texts of two versions of a pipeline differ: a number or a truth value of
/// a node.
struct ValueDifference: Equatable {
    /// The index of the node in the file.
    let node: Int
    let target: Target
    /// The value in the newer text.
    let value: Scalar

    /// The value of the node.
    enum Target: Equatable {
        case bypass
        case mix
        case parameter(String)
    }

    /// Compares two texts; the result is `nil` if they differ in anything else, or are equal.
    ///
    /// - Parameters:
    ///   - old: The text of a valid pipeline.
    ///   - new: Another text.
    init?(from old: [UInt8], to new: [UInt8]) {
        let equal = EqualEnds(of: old, new)
        var (start, rest) = (equal.first, equal.last)
        guard start < max(old.count, new.count) else { return nil }
        // Numbers and words end where another kind of byte begins.
        while start > 0, Self.isInScalar(old[start - 1]) { start -= 1 }
        while rest > 0, Self.isInScalar(old[old.count - rest]) { rest -= 1 }
        guard start < old.count - rest, start < new.count - rest,
            Self.scalar(old[start..<old.count - rest]) != nil,
            let value = Self.scalar(new[start..<new.count - rest]),
            let place = ValuePlace(at: start, in: old)
        else { return nil }
        node = place.node
        target = place.target
        self.value = value
    }

    private static func isInScalar(_ byte: UInt8) -> Bool {
        TextScanner.isWordByte(byte) || TextScanner.beginsNumber(byte)
    }

    /// Returns the number or the truth value that a text is; `nil` for any other text.
    private static func scalar(_ text: ArraySlice<UInt8>) -> Scalar? {
        let errors = ErrorList()
        var scanner = TextScanner(Array(text), errors: errors)
        guard let first = scanner.next else { return nil }
        let content =
            TextScanner.beginsNumber(first) ? scanner.scanNumber() : scanner.scanWord()
        guard scanner.isAtEnd, errors.isEmpty else { return nil }
        switch content {
        case .number(let number): return .number(number)
        case .bool(let isOn): return .toggle(isOn)
        default: return nil
        }
    }
}

/// The place of a value in the text of a valid pipeline.
private struct ValuePlace {
    let node: Int
    let target: ValueDifference.Target

    /// Follows the brackets and keys of a text up to an offset.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte of a number or a word.
    ///   - text: The text, which is valid JSON.
    init?(at offset: Int, in text: [UInt8]) {
        // The file, its nodes, a node, and its parameters.
        let deepest = 4
        var keys = [Range<Int>](repeating: 0..<0, count: deepest + 1)
        var elements = [Int](repeating: 0, count: deepest + 1)
        var depth = 0
        var string = 0..<0
        var index = 0
        while index < offset {
            switch text[index] {
            case UInt8(ascii: "\""):
                let start = index + 1
                index = start
                while index < offset, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                // The offset is in the string.
                guard index < offset else { return nil }
                string = start..<index
            case UInt8(ascii: ":"): if depth <= deepest { keys[depth] = string }
            case UInt8(ascii: ","): if depth <= deepest { elements[depth] += 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth <= deepest { elements[depth] = 0 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        func isKey(_ depth: Int, _ name: StaticString) -> Bool {
            text[keys[depth]].elementsEqual(
                UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        guard index == offset, depth == deepest - 1 || depth == deepest, isKey(1, "nodes") else {
            return nil
        }
        node = elements[2]
        if depth == deepest {
            guard isKey(3, "parameters"), !text[keys[4]].contains(UInt8(ascii: "\\")) else {
                return nil
            }
            target = .parameter(String(decoding: text[keys[4]], as: UTF8.self))
        } else if isKey(3, "bypass") {
            target = .bypass
        } else if isKey(3, "mix") {
            target = .mix
        } else {
            return nil
        }
    }
}

extension Pipeline {
    /// Returns the pipeline after an edit of one value; `nil` if the edited file must be checked,
    /// because the value may have an error.
    ///
    /// - Parameter difference: The edit.
    /// - Returns: The pipeline that a check of the edited file would create.
    func changed(by difference: ValueDifference) -> Pipeline? {
        let index = difference.node
        guard nodes.indices.contains(index), !nodes[index].isStandIn else { return nil }
        var result = self
        switch (difference.target, difference.value) {
        case (.bypass, .toggle(let isOn)): result.nodes[index].isBypassed = isOn
        case (.mix, .number(let mix)) where (0...1).contains(mix):
            result.nodes[index].mix = Float(mix)
        case (.parameter(let name), let value):
            let node = nodes[index]
            let isPlugin = if case .plugin = node.type { true } else { false }
            guard let parameter = node.parameters.firstIndex(where: { $0.name == name }),
                case .success(let number) =
                    node.parameters[parameter].value(of: value, isPlugin: isPlugin)
            else { return nil }
            result.nodes[index].values[parameter] = number
        default: return nil
        }
        result.decideAlignment(ofNode: index)
        return result
    }
}
