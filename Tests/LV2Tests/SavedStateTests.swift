import CRealtime
import Glibc
import LV2
import PluginComparison
import Processing
import Synchronization
import Testing
import TestSignals

@Suite("Saved states")
struct SavedStateTests {
    private let world = HostileBundle.world
    private let uri = "urn:stompline-test:property"

    /// Returns the first values of the first output's last block.
    private func values(_ processor: Processor) -> [Float] {
        let output = processor.render([], frames: 64)
        return stride(from: 0, to: 22, by: 2).map { output[$0] }
    }

    @Test("a new instance with a saved state has its control values, properties and files")
    func freshInstance() throws {
        let folder = ScratchFolder()
        let file = folder.write("x", to: "a file.txt")
        let first = try world.makeProcessor(
            uri, settings: ["file": .text(file), "word": .text("wörter\n\"zwei\"")],
            parameters: ["level": 2.5, "amount": 0.625])
        let state = try #require(first.memory).savedState()
        let second = try HostileBundle.world.makeProcessor(uri)
        try #require(second.memory).restore(state, isPlaying: false)
        let values = values(second)
        #expect(values[0] == 2.5)
        #expect(values[1] == 0.625)
        #expect(values[5] == Float("wörter\n\"zwei\"".utf8.count))
        #expect(values[6] == Float(UInt8(ascii: "x")))
        #expect(try #require(second.memory).savedState().contains("wörter"))
    }

    @Test("a text that is not a state is refused")
    func noState() throws {
        let processor = try world.makeProcessor(uri)
        #expect(throws: PluginError.self) {
            try #require(processor.memory).restore("no turtle", isPlaying: false)
        }
    }

    @Test(
        "a state is restored while playing; a plugin that cannot run meanwhile fades",
        arguments: ["urn:stompline-test:property", "urn:stompline-test:property-safe"])
    func whilePlaying(uri: String) throws {
        let source = try world.makeProcessor(uri, parameters: ["amount": 0.875])
        let state = try #require(source.memory).savedState()
        let processor = try world.makeProcessor(uri, isLive: true)
        let playing = PlayingThread(processor)
        for _ in 0..<5 { try #require(processor.memory).restore(state, isPlaying: true) }
        let output = playing.end()
        let last = output.suffix(128).map(\.self)
        #expect(last[2] == 0.875)
        let isSafe = uri.hasSuffix("safe")
        if !isSafe { #expect(last[18] == 0) }
        let one = stride(from: 1, to: output.count, by: 2).map { output[$0] }
        let step = zip(one, one.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        #expect(step <= (isSafe ? 0 : 1 / 240 + 1e-5))
        #expect(one.min() == (isSafe ? 1 : 0))
        #expect(one.last == 1)
    }

    @Test(
        "a state of a real plugin applies to another instance",
        arguments: [
            "http://gareus.org/oss/lv2/zeroconvolv#Mono", "http://gareus.org/oss/lv2/darc#mono",
            "http://calf.sourceforge.net/plugins/Filter", "urn:dragonfly:room",
            "http://lsp-plug.in/plugins/lv2/compressor_mono",
        ])
    func real(uri: String) throws {
        let description = try world.description(ofPlugin: uri)
        let preset = try world.presets(ofPlugin: uri).first?.label
        let settings = preset.map { ["preset": SettingValue.text($0)] } ?? [:]
        var moved: [String: Float] = [:]
        if preset == nil, let parameter = description.parameters.last {
            moved = [parameter.name: parameter.range.lowerBound]
        }
        let first = try world.makeProcessor(uri, settings: settings, parameters: moved)
        let second = try world.makeProcessor(uri)
        try #require(second.memory).restore(
            try #require(first.memory).savedState(), isPlaying: false)
        // Some plugins apply a loaded state in their next run.
        for processor in [first, second] {
            let input = [Float](repeating: 0, count: 64 * processor.inputCount)
            _ = processor.render(input, frames: 64)
        }
        #expect(try statements(of: second) == statements(of: first))
    }

    /// Returns the lines of a processor's state, sorted, because their order depends on the
    /// process's history.
    private func statements(of processor: Processor) throws -> [String] {
        try #require(processor.memory).savedState().split(separator: "\n")
            .map { String($0.filter { !" \t;.".contains($0) }) }.sorted()
    }
}

/// A thread that runs a processor without inputs repeatedly until it is stopped.
private final class PlayingThread: @unchecked Sendable {
    // SAFETY: the output is read after the thread has ended.
    private let processor: Processor
    private let isEnding = Atomic<Bool>(false)
    private var output: [Float] = []
    private var thread = pthread_t()

    init(_ processor: Processor) {
        self.processor = processor
        pthread_create(&thread, nil, runPlayingThread, Unmanaged.passRetained(self).toOpaque())
    }

    fileprivate func play() {
        while !isEnding.load(ordering: .acquiring) {
            output += processor.render([], frames: 64)
            usleep(200)
        }
        output += processor.render([], frames: 640)
    }

    /// Stops the thread and returns its whole output.
    func end() -> [Float] {
        isEnding.store(true, ordering: .releasing)
        pthread_join(thread, nil)
        return output
    }
}

private func runPlayingThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<PlayingThread>.fromOpaque(argument).takeRetainedValue().play()
    return nil
}
