internal import Pipelines
internal import Processing
internal import SessionCore
@testable internal import stompline

extension FuzzTarget {
    /// Live values that `save` writes into a pipeline file, and that `undo` removes again.
    ///
    /// The first 40 bytes select the scenes, the addresses and the values; the rest is the file.
    static let save = FuzzTarget(
        name: "save",
        run: { bytes in
            var source = ByteSource(bytes)
            var choices = ByteSource(source.bytes(40))
            let text = source.remaining()
            guard let file = SavedFile(text) else { return }
            let scenes = [nil] + file.old.scenes.prefix(100).map { $0.name }
            let scene = choices.pick(scenes)
            var live = LiveValues(atStartOf: file.old.beginning(withSceneNamed: scene))
            let addresses = file.old.addresses.filter { !file.old.parameter(at: $0).isTrigger }
            guard !addresses.isEmpty else { return }
            let destination: SongSave.Destination =
                switch choices.below(3) {
                case 0: .file
                case 1: .currentScene
                default:
                    .scene(choices.pick(scenes.compactMap { $0 } + ["new", "7", "\"\\\u{1F3B8} "]))
                }
            for _ in 0...choices.below(6) {
                let address = addresses[Int(choices.word(2)) % addresses.count]
                live[address] = file.old.parameter(at: address).value(&choices)
            }
            file.save(live, scene: scene, into: destination)
        },
        seeds: {
            let texts = [
                #"{"version":1,"inputs":{"in":{}},"outputs":{"out":{}},"nodes":[{"id":"a","type":"gain"},{"id":"b","type":"filter","parameters":{}}]}"#,
                "{\r\n\t\"version\": 1,\r\n\t\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": {} },\r\n\t\"nodes\": [\r\n\t\t{ \"id\": \"a\", \"type\": \"gain\", \"parameters\": { \"g\\u0061in\" : -6.0 } }\r\n\t],\r\n\t\"scenes\": {}\r\n}\r\n",
            ]
            return texts.flatMap { text in
                (0..<3).map { destination in
                    [0, UInt8(destination), 2, 5, 0, 0, 0x40, 0, 0, 0, 0, 1, 0xC0, 0x10, 0, 0]
                        + [UInt8](repeating: 3, count: 24) + Array(text.utf8)
                }
            }
        }, explain: { [String(decoding: $0.dropFirst(40), as: UTF8.self)] })
}

/// A pipeline file of a song that plays.
private struct SavedFile {
    private static let catalogue = FakeCatalogue.catalogue
    private static let sampleRate = 48_000.0

    let old: Pipeline
    private let bytes: [UInt8]
    private let path: String

    /// Writes the file; `nil` if it is not a valid pipeline.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        path = InputFile.inMemory(bytes, name: "pipeline.json")
        guard let pipeline = Self.pipeline(bytes, path) else { return nil }
        old = pipeline
    }

    private static func pipeline(_ bytes: [UInt8], _ path: String) -> Pipeline? {
        try? Pipeline(decoding: bytes, file: path, catalogue: catalogue, sampleRate: sampleRate)
    }

    /// Saves live values, checks the file, and undoes the edit.
    func save(_ live: LiveValues, scene: String?, into destination: SongSave.Destination) {
        let song = Song(name: "song", pipeline: old, path: path)
        guard let save = try? SongSave(of: song, live, scene: scene, into: destination, from: .here)
        else { return }
        let editor = SongFileEditor(catalogue: Self.catalogue, sampleRate: Self.sampleRate)
        do { _ = try editor.save(save) } catch { fatalError("values are not saved: \(error)") }
        let saved = InputFile.bytes(path)
        checkSteps(save.edits, leadTo: saved)
        guard let new = Self.pipeline(saved, path) else {
            fatalError("the file with saved values is not valid")
        }
        check(new, save.edits)
        let values = ParameterValues(
            atStartOf: new.beginning(withSceneNamed: save.scene ?? scene))
        for address in old.addresses where !old.parameter(at: address).isTransport {
            require(
                old.parameter(at: address).isTrigger || values[address] == live[address],
                "\(old.text(of: address)) is \(values[address]), not \(live[address])")
        }
        guard saved != bytes else { return }
        do { _ = try editor.undo() } catch { fatalError("the edit cannot be undone: \(error)") }
        require(InputFile.bytes(path) == bytes, "the file is another one after undo")
        require((try? editor.undo()) == nil, "the same edit is undone twice")
    }

    /// Checks that each edit inserts text or replaces one value, and nothing if it is repeated.
    private func checkSteps(_ edits: [ValueEdit], leadTo saved: [UInt8]) {
        do {
            var text = try PipelineText(bytes)
            for edit in edits {
                let next = try text.setting([edit])
                checkStep(from: text.bytes, to: next.bytes)
                text = next
            }
            require(text.bytes == saved, "the file differs from its edited text")
            require(try text.setting(edits).bytes == saved, "the same edits change the text twice")
        } catch { fatalError("the text cannot be edited: \(error)") }
    }

    private func checkStep(from old: [UInt8], to new: [UInt8]) {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let room = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix(room).prefix { $0 == $1 }.count
        let removed = old[start..<old.count - end]
        // The catalogue has no choices with these characters, so a value contains none of them.
        require(
            !removed.contains { ",:{}[]\n".utf8.contains($0) },
            "an edit removes \"\(String(decoding: removed, as: UTF8.self))\"")
    }

    /// Checks that only the saved values of the file have changed.
    private func check(_ new: Pipeline, _ edits: [ValueEdit]) {
        var expected = old.valuesByEntry
        for edit in edits { expected[edit.entry] = edit.number }
        require(new.valuesByEntry == expected, "the file has other values than the saved ones")
        require(
            new.scenes.map(\.name).starts(with: old.scenes.map(\.name)),
            "the scenes have changed their order")
        require(new.withoutValues == old.withoutValues, "more than values has changed")
    }
}

extension Pipeline {
    /// The values of all entries that a file can contain.
    fileprivate var valuesByEntry: [ValueEdit.Entry: Float] {
        var values: [ValueEdit.Entry: Float] = [:]
        for node in nodes {
            for (parameter, value) in zip(node.parameters, node.values) {
                values[.parameter(parameter.name, node: node.id)] = value
            }
            values[.nodeKey("bypass", node: node.id)] = node.isBypassed ? 1 : 0
            values[.nodeKey("mix", node: node.id)] = node.mix
        }
        for scene in scenes {
            for change in scene.changes {
                values[.address(text(of: change.address), scene: scene.name)] = change.value
            }
        }
        return values
    }

    /// The pipeline without its scenes, values, and what depends on values: durations, and the paths
    /// that are always off.
    fileprivate var withoutValues: Pipeline {
        var result = self
        result.scenes = []
        for index in nodes.indices {
            result.nodes[index].values = []
            result.nodes[index].isBypassed = false
            result.nodes[index].mix = 1
            result.nodes[index].durationSeconds = nil
            result.nodes[index].offInputs = []
            result.nodes[index].isAlwaysBypassed = false
        }
        return result
    }
}

extension ParameterDescription {
    /// Returns a value that the parameter can have.
    fileprivate func value(_ source: inout ByteSource) -> Float {
        let word = source.word(4)
        let bits = Float(bitPattern: UInt32(truncatingIfNeeded: word))
        switch kind {
        case .toggle: return Float(word & 1)
        case .choice(let choices): return choices[Int(word % UInt64(choices.count))].value
        case .integer:
            let steps = UInt64(range.upperBound - range.lowerBound) + 1
            return range.lowerBound + Float(word % steps)
        case .continuous:
            if range.contains(bits) { return bits }
            let share = Float(word) / 4_294_967_296
            let value = range.lowerBound + (range.upperBound - range.lowerBound) * share
            return min(max(value, range.lowerBound), range.upperBound)
        }
    }
}
