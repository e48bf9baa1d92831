internal import Pipelines
internal import Testing

@Suite("Adding a binding to any file's text")
struct EditPropertyTests {
    @Test("keeps the old file, contains the binding, and leaves every other byte unchanged")
    func added() throws {
        var random = Dice(state: 1)
        for _ in 0..<2000 {
            var layout = Layout(&random)
            let text = layout.file(&random)
            let control = Self.control(&random)
            let address = ["a.gain", "b.mix", "new"][Int.random(in: 0..<3, using: &random)]
            let old = try PipelineText(Array(text.utf8))
            let new = try old.adding(control, to: address)
            Self.expectOnePlace(old, new, control, address)
            #expect(Self.isTidy(new.bytes, like: old.bytes))
            let again = try new.adding(control, to: address)
            #expect(again.bytes == new.bytes, "once more changes nothing")
        }
    }

    /// Expects that all bindings except the one of the address are unchanged, and all surrounding
    /// text too.
    private static func expectOnePlace(
        _ old: PipelineText, _ new: PipelineText, _ control: LearnedTrigger, _ address: String
    ) {
        let (before, after) = (bindings(old), bindings(new))
        let place = before.firstIndex { $0["to"]?.string == address } ?? before.count
        #expect(after.count == max(before.count, place + 1))
        for index in before.indices where index != place {
            #expect(text(before[index], old) == text(after[index], new))
        }
        let binding = after[place]
        #expect(binding["to"]?.string == address)
        #expect(binding["channel"]?.number == control.channel.map(Double.init))
        #expect(binding["port"]?.string == control.port)
        // No byte before or after the change is lost.
        let (first, second) = (old.bytes, new.bytes)
        let head = zip(first, second).prefix { $0 == $1 }.count
        let tail = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
        let lost = max(0, first.count - head - tail)
        let replaced = place < before.count ? before[place].end - before[place].start : 0
        #expect(lost <= replaced)
    }

    /// Returns whether line ends and the last line are unchanged, and no tab was added to a text
    /// without tabs.
    private static func isTidy(_ new: [UInt8], like old: [UInt8]) -> Bool {
        func returns(_ bytes: [UInt8]) -> Bool { bytes.contains(0x0D) }
        func lone(_ bytes: [UInt8]) -> Int {
            bytes.indices.count { bytes[$0] == 0x0A && ($0 == 0 || bytes[$0 - 1] != 0x0D) }
        }
        let hasLines = old.contains(0x0A)
        return returns(new) == returns(old) && (returns(old) ? lone(new) == 0 : true)
            && new.contains(0x0A) == hasLines && new.last == old.last
            && new.contains(0x09) == old.contains(0x09)
    }

    private static func bindings(_ text: PipelineText) -> [JSONElement] {
        let document = Document(parsing: text.bytes, errors: ErrorList())
        return document.root["midi"]?.elements ?? []
    }

    private static func text(_ element: JSONElement, _ text: PipelineText) -> String {
        String(decoding: text.bytes[element.start..<element.end], as: UTF8.self)
    }

    private static func control(_ random: inout Dice) -> LearnedTrigger {
        let number = Int.random(in: 0..<128, using: &random)
        let channel = Bool.random(using: &random) ? Int.random(in: 1...16, using: &random) : nil
        let port = Bool.random(using: &random) ? "f\u{FC}\u{DF}e \"x\"" : nil
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            return LearnedTrigger(
                trigger: .controller(number), channel: channel, port: port,
                isFine: Bool.random(using: &random))
        case 1: return LearnedTrigger(trigger: .note(number), channel: channel, port: port)
        default:
            return LearnedTrigger(trigger: .program(number), channel: channel, port: port, bank: 7)
        }
    }
}

/// A random layout of a file's text.
private struct Layout {
    private let newline: String
    private let indentation: String?
    private let colon: String
    private let padding: String
    private let listOnLines: Bool
    private let end: String

    init(_ random: inout Dice) {
        newline = Bool.random(using: &random) ? "\n" : "\r\n"
        indentation = ["  ", "    ", "\t", " ", nil, nil].randomElement(using: &random) ?? nil
        colon = [":", ": ", " : "].randomElement(using: &random) ?? ":"
        padding = ["", " "].randomElement(using: &random) ?? ""
        listOnLines = Bool.random(using: &random) && indentation != nil
        end = indentation == nil ? "" : ["", newline, newline + newline][random.below(3)]
    }

    /// Returns a file with or without bindings.
    mutating func file(_ random: inout Dice) -> String {
        var members = [
            "\"version\"\(colon)1", "\"name\"\(colon)\"\u{1F3B8} \\u00e9 ]}\"",
            "\"nodes\"\(colon)[{\(padding)\"id\"\(colon)\"a\"\(padding)}]",
        ]
        if random.below(4) > 0 {
            members.insert("\"midi\"\(colon)\(list(&random))", at: random.below(members.count + 1))
        }
        let line = indentation.map { newline + $0 } ?? padding
        let last = indentation == nil ? padding : newline
        return "{" + line + members.joined(separator: "," + line) + last + "}" + end
    }

    private func list(_ random: inout Dice) -> String {
        let bindings = (0..<random.below(4)).map { _ in binding(&random) }
        let inner = newline + (indentation ?? "") + (indentation ?? "")
        let outer = newline + (indentation ?? "")
        guard listOnLines else {
            return "[\(padding)" + bindings.joined(separator: ",\(padding)") + "\(padding)]"
        }
        if bindings.isEmpty { return "[" + outer + "]" }
        return "[" + inner + bindings.joined(separator: "," + inner) + outer + "]"
    }

    private func binding(_ random: inout Dice) -> String {
        let address = ["a.gain", "b.mix", "c.pan"][random.below(3)]
        var members = [
            "\"cc\"\(colon)\(random.below(128))", "\"to\"\(colon)\"\(address)\"",
            "\"range\"\(colon)[0, 1.0]",
        ]
        if random.below(2) == 0 { members.append("\"mode\"\(colon)\"relative\"") }
        members.shuffle(using: &random)
        return "{\(padding)" + members.joined(separator: ",\(padding)") + "\(padding)}"
    }
}
