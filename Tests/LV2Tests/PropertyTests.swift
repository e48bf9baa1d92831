import CRealtime
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

@Suite("Properties that messages carry")
struct PropertyTests {
    private let world = HostileBundle.world
    private let uri = "urn:stompline-test:property"

    /// Returns the first output's values of the last block, by name.
    private func values(_ output: [Float]) -> [String: Float] {
        let names = [
            "level", "amount", "steps", "level_2", "by_symbol", "wordLength", "fileStart",
            "messages", "room", "overlaps", "wordMessages",
        ]
        let first = stride(from: output.count - 128, to: output.count, by: 2).map { output[$0] }
        return Dictionary(uniqueKeysWithValues: zip(names, first))
    }

    private func values(_ processor: Processor, frames: Int = 64) -> [String: Float] {
        values(processor.render([], frames: frames))
    }

    private func place(_ name: String) throws -> Int32 {
        let description = try world.description(ofPlugin: uri)
        return Int32(
            try #require(description.parameters.firstIndex { $0.name == name }))
    }

    @Test(
        "numbers are parameters, texts are settings, output numbers are reports, with unique names"
    )
    func description() throws {
        let description = try world.description(ofPlugin: uri)
        #expect(
            description.parameters.map(\.name)
                == ["level", "amount", "level_2", "by_symbol", "steps"])
        #expect(description.settings.map(\.name) == ["file", "word"])
        #expect(description.settings.map(\.kind) == [.path, .text])
        #expect(description.reports.map(\.name) == ["told"])
        let amount = description.parameters[1]
        #expect(amount.range == 0...1)
        #expect(amount.defaultValue == 0.25)
        #expect(amount.label == "Amount")
        #expect(amount.unit == .decibels)
        #expect(description.parameters[2].kind == .toggle)
        #expect(description.parameters[4].kind == .integer)
        #expect(description.parameters[4].defaultValue == 3)
    }

    @Test("a plugin starts with its default state, and receives no value that it already has")
    func defaultState() throws {
        let values = values(try world.makeProcessor(uri))
        #expect(values["amount"] == 0.25)
        #expect(values["wordLength"] == 5)
        #expect(values["fileStart"] == Float(UInt8(ascii: "@")))
        #expect(values["messages"] == 0)
    }

    @Test("a parameter's change is sent once, in the property's type")
    func change() throws {
        let processor = try world.makeProcessor(uri)
        _ = values(processor)
        let changes: [(String, Float)] = [
            ("amount", 0.75), ("steps", -41), ("level_2", 1), ("by_symbol", 2.25),
        ]
        for (name, value) in changes {
            processor.kernel.set(try place(name), to: value)
        }
        let values = values(processor, frames: 640)
        for (name, value) in changes { #expect(values[name] == value, "\(name)") }
        #expect(values["messages"] == 4)
    }

    @Test("a node's values apply from the first frame on")
    func node() throws {
        let folder = ScratchFolder()
        let file = folder.write("x", to: "x.txt")
        let values = values(
            try world.makeProcessor(
                uri, settings: ["file": .text(file), "word": .text("four")],
                parameters: ["amount": 0.5]))
        #expect(values["amount"] == 0.5)
        #expect(values["wordLength"] == 4)
        #expect(values["fileStart"] == Float(UInt8(ascii: "x")))
        #expect(values["messages"] == 3)
    }

    @Test("a preset's properties apply, and the node's own values override them")
    func preset() throws {
        #expect(
            try world.parameters(ofPreset: "Rich", ofPlugin: uri) == ["level": 7, "amount": 0.5])
        let preset = values(try world.makeProcessor(uri, settings: ["preset": .text("Rich")]))
        #expect(preset["level"] == 7)
        #expect(preset["amount"] == 0.5)
        #expect(preset["wordLength"] == 6)
        #expect(preset["messages"] == 0)
        let over = values(
            try world.makeProcessor(
                uri, settings: ["preset": .text("Rich"), "word": .text("own")],
                parameters: ["amount": 0.125]))
        #expect(over["amount"] == 0.125)
        #expect(over["wordLength"] == 3)
        #expect(over["level"] == 7)
    }

    @Test("a number that the plugin sends is a report")
    func report() throws {
        let processor = try world.makeProcessor(uri)
        processor.kernel.set(try place("amount"), to: 0.75)
        _ = processor.render([], frames: 128)
        #expect(try #require(processor.reports)[0] == 1.5)
    }

    @Test(
        "an event buffer has its required minimum size, and a longer text is refused"
    )
    func sizes() throws {
        let long = values(
            try world.makeProcessor(
                uri, settings: ["word": .text(String(repeating: "w", count: 15_000))]))
        #expect(long["wordLength"] == 15_000)
        #expect(long["room"] == Float(19_992))
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor(
                uri, settings: ["word": .text(String(repeating: "w", count: 25_000))])
        }
        #expect(error?.message.contains("too long for its event buffer") == true)
    }

    @Test("a missing file is refused with the setting's name")
    func missingFile() {
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor(uri, settings: ["file": .text("/nowhere/x.wav")])
        }
        #expect(error?.message == "'file' names a file that cannot be read: /nowhere/x.wav")
    }
}
