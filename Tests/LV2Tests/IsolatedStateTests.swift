import Glibc
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

@Suite("States of isolated plugins", .serialized)
struct IsolatedStateTests {
    private let world = HostileBundle.world
    private let uri = "urn:stompline-test:property"

    /// Returns the first values of the first output's last block.
    private func values(_ processor: Processor) -> [Float] {
        let output = processor.render([], frames: 64)
        return stride(from: 0, to: 22, by: 2).map { output[$0] }
    }

    /// Plays until the plugin's process has finished a block in time, which it may miss on a busy
    /// machine; for at most 20 s of sound.
    private func valuesInTime(_ processor: Processor) -> [Float] {
        for _ in 0..<15_000 {
            let values = values(processor)
            if values[0] != 0 { return values }
            play(processor, blocks: 1)
        }
        return values(processor)
    }

    /// Creates a plugin with a word and a file that it creates itself.
    private func source(_ folder: ScratchFolder, isolation: Isolation = .none) throws -> Processor {
        try world.makeProcessor(
            uri,
            settings: [
                "file": .text(folder.write("x", to: "a file.txt")),
                "word": .text("wörter\n\"zwei\""),
            ],
            parameters: ["level": 2.5, "amount": 0.625], isolation: isolation)
    }

    private func expectSource(_ values: [Float]) {
        #expect(values[0] == 2.5)
        #expect(values[1] == 0.625)
        #expect(values[5] == Float("wörter\n\"zwei\"".utf8.count))
        #expect(values[6] == Float(UInt8(ascii: "x")))
    }

    @Test("settings, including files, apply in an isolated process")
    func settings() throws {
        let folder = ScratchFolder()
        expectSource(values(try source(folder, isolation: .sameCycle)))
    }

    @Test(
        "a state can be moved from process to process",
        arguments: [
            (Isolation.none, Isolation.sameCycle), (.sameCycle, .none), (.sameCycle, .sameCycle),
        ] as [(Isolation, Isolation)])
    func memory(_ from: Isolation, _ to: Isolation) throws {
        let folder = ScratchFolder()
        let first = try source(folder, isolation: from)
        let state = try #require(first.memory).savedState()
        // The state names a file in the pipeline's folder.
        let second = try world.makeProcessor(
            uri, isolation: to, sandbox: .on(folder: folder.path))
        try #require(second.memory).restore(state, isPlaying: false)
        expectSource(values(second))
        #expect(try #require(second.memory).savedState().contains("wörter"))
    }

    @Test("a text that is not a state is refused")
    func noState() throws {
        let processor = try world.makeProcessor(uri, isolation: .process)
        let error = #expect(throws: PluginError.self) {
            try #require(processor.memory).restore("no turtle", isPlaying: false)
        }
        #expect(error?.message == "this is not a state of the plugin \(uri)")
    }

    @Test("a state of 19 KB arrives complete")
    func large() throws {
        let word = String(repeating: "long ", count: 3800)
        let first = try world.makeProcessor(
            uri, settings: ["word": .text(word)], isolation: .process)
        #expect(try #require(first.memory).savedState().contains(word))
    }

    @Test(
        "a preset sounds the same to the bit",
        arguments: [
            "urn:stompline-test:stateful", "http://gareus.org/oss/lv2/zeroconvolv#Mono",
            "http://calf.sourceforge.net/plugins/Filter",
        ])
    func preset(_ uri: String) throws {
        let preset = try #require(try world.presets(ofPlugin: uri).first { $0.label != "Outside" })
        let processors = try [Isolation.none, .sameCycle].map {
            try world.makeProcessor(
                uri, settings: ["preset": .text(preset.label)], isolation: $0)
        }
        let input = whiteNoise(
            amplitude: 0.25, frames: 64 * 100 * max(1, processors[0].inputCount), seed: 3)
        let sounds = processors.map { processor in
            processor.render(processor.inputCount == 0 ? [] : input, frames: 6400)
        }
        #expect(sounds[0].contains { $0 != 0 })
        #expect(sounds[1].map(\.bitPattern) == sounds[0].map(\.bitPattern))
    }

    @Test("a restarted plugin keeps its state, saved before or not", arguments: [true, false])
    func startedAgain(isAsked: Bool) throws {
        let folder = ScratchFolder()
        let state = try #require(try source(folder).memory).savedState()
        let (processor, host) = try LivePlaying.host(of: uri) {
            try world.makeProcessor(
                uri, isLive: true, isolation: .process, sandbox: .on(folder: folder.path))
        }
        let memory = try #require(processor.memory)
        try memory.restore(state, isPlaying: false)
        if isAsked { _ = try memory.savedState() }
        play(processor, blocks: isAsked ? 20 : 1500)
        kill(host, SIGKILL)
        #expect(incident(of: processor) { $0 == .back } != nil)
        let values = valuesInTime(processor)
        #expect(values[0] == 2.5)
        #expect(values[5] == Float("wörter\n\"zwei\"".utf8.count))
        #expect(values[6] == Float(UInt8(ascii: "x")))
    }

    @Test("a plugin that ends its process when it is saved is lost once, and not saved again")
    func crashesSaved() throws {
        let processor = try world.makeProcessor(
            "urn:stompline-test:crash-save", isLive: true, isolation: .process)
        let reason =
            "its process was terminated by signal 11 (Segmentation fault) while its state was being saved"
        let reported = incident(of: processor) {
            if case .stateNotKept = $0 { true } else { false }
        }
        #expect(reported == .stateNotKept(reason: "saving its state ends its process"))
        #expect(incident(of: processor) { $0 == .lost(reason: reason) } != nil)
        #expect(incident(of: processor) { $0 == .back } != nil)
        play(processor, blocks: 2500)
        #expect(processor.incidents?.next() == nil)
    }

    @Test("a plugin that ends its process when it is restored is restarted without its state")
    func crashesRestored() throws {
        let uri = "urn:stompline-test:crash-restore"
        let (processor, host) = try LivePlaying.host(of: uri) {
            try world.makeProcessor(uri, isLive: true, isolation: .process)
        }
        let state = try #require(processor.memory).savedState()
        kill(host, SIGKILL)
        #expect(
            incident(of: processor) {
                $0
                    == .lost(
                        reason:
                            "its process was terminated by signal 11 (Segmentation fault) while its state was being restored"
                    )
            } != nil)
        #expect(incident(of: processor) { $0 == .back } != nil)
        #expect(throws: PluginError.self) {
            try #require(processor.memory).restore(state, isPlaying: false)
        }
    }

    @Test("a plugin that crashes because of its state is finally restarted without it")
    func poisoned() throws {
        let uri = "urn:stompline-test:poisoned"
        let (processor, host) = try LivePlaying.host(of: uri) {
            try world.makeProcessor(uri, isLive: true, isolation: .process)
        }
        _ = try #require(processor.memory).savedState()
        play(processor, blocks: 20)
        kill(host, SIGKILL)
        var losses = 0
        while losses < 3, incident(of: processor, isLoss) != nil { losses += 1 }
        #expect(losses == 3)
        #expect(incident(of: processor) { $0 == .back } != nil)
        play(processor, blocks: 200)
        #expect(processor.incidents?.next() == nil)
    }

    private func isLoss(_ incident: Incident) -> Bool {
        if case .lost = incident { true } else { false }
    }

    /// Plays silence in real time.
    private func play(_ processor: Processor, blocks: Int) {
        let input = [Float](repeating: 0, count: 64 * processor.inputCount)
        for _ in 0..<blocks {
            _ = processor.render(input, frames: 64)
            usleep(1_333)
        }
    }

    /// Plays until an incident of a given kind, for at most 20 s of sound.
    private func incident(of processor: Processor, _ isWanted: (Incident) -> Bool) -> Incident? {
        for _ in 0..<15_000 {
            play(processor, blocks: 1)
            while let incident = processor.incidents?.next() {
                if isWanted(incident) { return incident }
            }
        }
        return nil
    }
}
