internal import Pipelines
internal import Testing

/// Random patches of all shipped pipelines, compared with patches of plain values.
@Suite("A random patch of any shipped file")
struct PatchPropertyTests {
    private static let files = TestFiles.names(in: "../../pipelines", extension: "json")

    @Test(
        "has the same result as a patch of plain values, and changes no byte outside its target",
        arguments: files)
    func random(name: String) throws {
        var random = Dice(state: ContentSeed.of(name))
        let original = try TestFiles.bytes("../../pipelines/" + name)
        var text = try PipelineText(original)
        var changes: [TextChange] = []
        for _ in 0..<60 {
            let before = PlainValue(try root(text.bytes))
            let step = RandomOperation(in: before, &random)
            let patch = try JSONPatch(parsing: Array("[\(step.text)]".utf8))
            let edited = try text.applying(patch)
            var expected = before
            expected.apply(step)
            #expect(PlainValue(try root(edited.bytes)) == expected, "\(step.text)")
            let change = TextChange(from: text.bytes, to: edited.bytes)
            try expectLocal(change, step, text, before)
            #expect(change.applied(to: text.bytes) == edited.bytes)
            #expect(change.inverse.applied(to: edited.bytes) == text.bytes)
            try expectReversible(step, text, edited, before)
            changes.append(change)
            text = edited
        }
        var restored = text.bytes
        for change in changes.reversed() {
            restored = try #require(change.inverse.applied(to: restored))
        }
        #expect(restored == original)
    }

    private func root(_ bytes: [UInt8]) throws -> JSONElement {
        let errors = ErrorList()
        let root = Document(parsing: bytes, errors: errors).root
        try #require(errors.isEmpty)
        return root
    }

    /// Expects that a change inserts text, removes text, or replaces one value.
    private func expectLocal(
        _ change: TextChange, _ step: RandomOperation, _ text: PipelineText, _ before: PlainValue
    ) throws {
        // The new value can be the old one.
        if change.byteCount == 0 { return }
        switch step.kind {
        case .remove: #expect(change.inserted.isEmpty, "\(step.text)")
        case .add where before.value(at: step.path) == nil || before.isArray(at: step.parent):
            #expect(change.removed.isEmpty, "\(step.text)")
        case .add, .replace:
            let element = try element(at: step.path, try root(text.bytes))
            #expect(change.offset >= element.start, "\(step.text)")
            #expect(change.offset + change.removed.count <= element.end, "\(step.text)")
        case .move: break
        }
        #expect(change.inserted.contains(0x0D) == false)
    }

    private func element(at path: [String], _ root: JSONElement) throws -> JSONElement {
        var element = root
        for token in path {
            element = try #require(
                element[token] ?? Int(token).map { element.elements[$0] })
        }
        return element
    }

    /// Expects that the removal of an added value restores the text.
    private func expectReversible(
        _ step: RandomOperation, _ old: PipelineText, _ new: PipelineText, _ before: PlainValue
    ) throws {
        guard step.kind == .add, step.path.last != "-",
            before.value(at: step.path) == nil || before.isArray(at: step.parent),
            before.count(at: step.parent) > 0
        else { return }
        let removal = JSONPatch([.init(.remove, at: JSONPointer(tokens: step.path))])
        #expect(try new.applying(removal).bytes == old.bytes, "\(step.text)")
    }
}

private enum ContentSeed {
    static func of(_ name: String) -> UInt64 { name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } }
}

/// A JSON value without positions.
private indirect enum PlainValue: Equatable {
    case null, bool(Bool), number(Double), string(String), array([PlainValue])
    case object([String: PlainValue])

    init(_ element: JSONElement) {
        switch element.content {
        case .null, .broken: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map(PlainValue.init))
        case .object(let members):
            self = .object(
                Dictionary(uniqueKeysWithValues: members.map { ($0.key, PlainValue($0.value)) }))
        }
    }

    func value(at path: [String]) -> PlainValue? {
        guard let first = path.first else { return self }
        let rest = Array(path.dropFirst())
        switch self {
        case .array(let elements):
            guard let index = Int(first), elements.indices.contains(index) else { return nil }
            return elements[index].value(at: rest)
        case .object(let members): return members[first]?.value(at: rest)
        default: return nil
        }
    }

    func isArray(at path: [String]) -> Bool {
        if case .array? = value(at: path) { true } else { false }
    }

    func count(at path: [String]) -> Int {
        switch value(at: path) {
        case .array(let elements)?: elements.count
        case .object(let members)?: members.count
        default: 0
        }
    }

    /// All places; the place of the whole value is first.
    func paths(below path: [String] = []) -> [[String]] {
        switch self {
        case .array(let elements):
            [path]
                + elements.enumerated().flatMap { $1.paths(below: path + [String($0)]) }
        case .object(let members):
            [path]
                + members.sorted { $0.key < $1.key }.flatMap {
                    $0.value.paths(below: path + [$0.key])
                }
        default: [path]
        }
    }

    mutating func apply(_ step: RandomOperation) {
        switch step.kind {
        case .remove: remove(step.path)
        case .add: add(step.value, step.path)
        case .replace:
            remove(step.path)
            add(step.value, step.path)
        case .move:
            guard let value = value(at: step.from) else { return }
            remove(step.from)
            add(value, step.path)
        }
    }

    private mutating func remove(_ path: [String]) {
        change(Array(path.dropLast())) { container in
            guard let last = path.last else { return }
            switch container {
            case .array(var elements):
                elements.remove(at: Int(last) ?? 0)
                container = .array(elements)
            case .object(var members):
                members[last] = nil
                container = .object(members)
            default: break
            }
        }
    }

    private mutating func add(_ value: PlainValue, _ path: [String]) {
        change(Array(path.dropLast())) { container in
            guard let last = path.last else { return }
            switch container {
            case .array(var elements):
                elements.insert(value, at: last == "-" ? elements.count : Int(last) ?? 0)
                container = .array(elements)
            case .object(var members):
                members[last] = value
                container = .object(members)
            default: break
            }
        }
    }

    private mutating func change(_ path: [String], _ body: (inout PlainValue) -> Void) {
        guard let first = path.first else { return body(&self) }
        let rest = Array(path.dropFirst())
        switch self {
        case .array(var elements):
            guard let index = Int(first) else { return }
            elements[index].change(rest, body)
            self = .array(elements)
        case .object(var members):
            members[first]?.change(rest, body)
            self = .object(members)
        default: break
        }
    }
}

/// A random operation that is possible.
private struct RandomOperation {
    enum Kind { case add, remove, replace, move }

    let kind: Kind
    let path: [String]
    var from: [String] = []
    var value = PlainValue.null
    private var spelling = "null"

    var parent: [String] { Array(path.dropLast()) }

    init(in root: PlainValue, _ random: inout Dice) {
        let paths = root.paths()
        let places = paths.filter { !$0.isEmpty }
        let containers = paths.filter {
            switch root.value(at: $0) {
            case .array?, .object?: true
            default: false
            }
        }
        let target = Self.newPlace(in: containers[random.below(containers.count)], root, &random)
        guard !places.isEmpty, random.below(3) > 0 else {
            (kind, path) = (.add, target)
            chooseValue(&random)
            return
        }
        let place = places[random.below(places.count)]
        switch random.below(3) {
        case 0 where places.count > 10: (kind, path) = (.remove, place)
        case 1:
            // A move within the same array or to a key of the whole file is always possible.
            let isElement = root.isArray(at: Array(place.dropLast()))
            let key = "moved \(random.below(1000))"
            (kind, from) = (.move, place)
            path = isElement ? place.dropLast() + ["0"] : [key]
        default:
            (kind, path) = (.replace, place)
            chooseValue(&random)
        }
    }

    private static func newPlace(
        in container: [String], _ root: PlainValue, _ random: inout Dice
    ) -> [String] {
        guard case .array(let elements)? = root.value(at: container) else {
            return container + [["new", "a/b", "~", "\u{E9} \"x\"", "id"][random.below(5)]]
        }
        let index = random.below(elements.count + 2)
        return container + [index > elements.count ? "-" : String(index)]
    }

    private mutating func chooseValue(_ random: inout Dice) {
        let choices: [(String, PlainValue)] = [
            ("-6.50", .number(-6.5)), ("1e2", .number(100)), ("true", .bool(true)),
            ("\"a\\u0041\\n\"", .string("aA\n")), ("[]", .array([])), ("{}", .object([:])),
            (
                "{\"id\":\"n\",\"type\":\"gain\",\"parameters\":{\"gain\":1.0}}",
                .object([
                    "id": .string("n"), "type": .string("gain"),
                    "parameters": .object(["gain": .number(1)]),
                ])
            ),
            ("[[1],{\"x\":null}]", .array([.array([.number(1)]), .object(["x": .null])])),
        ]
        (spelling, value) = choices[random.below(choices.count)]
    }

    /// The operation as JSON.
    var text: String {
        let pointer = JSONValue.string(JSONPointer(tokens: path).text).text
        switch kind {
        case .add: return "{\"op\":\"add\",\"path\":\(pointer),\"value\":\(spelling)}"
        case .remove: return "{\"op\":\"remove\",\"path\":\(pointer)}"
        case .replace: return "{\"op\":\"replace\",\"path\":\(pointer),\"value\":\(spelling)}"
        case .move:
            let source = JSONValue.string(JSONPointer(tokens: from).text).text
            return "{\"op\":\"move\",\"from\":\(source),\"path\":\(pointer)}"
        }
    }
}
