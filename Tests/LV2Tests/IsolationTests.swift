import Engine
import Glibc
import LV2
import PluginComparison
import Processing
import Testing
import TestSignals

@Suite("Isolated plugins")
struct IsolationTests {
    static let real = [
        "http://lv2plug.in/plugins/eg-amp", "http://calf.sourceforge.net/plugins/MonoInput",
        "http://lsp-plug.in/plugins/lv2/para_equalizer_x16_mono",
        "http://gareus.org/oss/lv2/fat1", "urn:zamaudio:ZamComp",
        "http://plugin.org.uk/swh-plugins/gverb", "http://drobilla.net/plugins/mda/Delay",
        "http://invadarecords.com/plugins/lv2/tube/mono",
        "urn:dragonfly:early",
    ]

    private let world = HostileBundle.world

    @Test("a real plugin's sound is bit-identical, and a block later", arguments: real)
    func equality(_ uri: String) throws {
        let here = try world.makeProcessor(uri)
        let there = try world.makeProcessor(uri, isolation: .process)
        #expect(there.latencyFrames == here.latencyFrames + 64)
        let channels = here.inputCount
        let input = whiteNoise(amplitude: 0.25, frames: 64 * 100 * channels, seed: 3)
        let own = here.render(input, frames: 6400)
        let other = there.render(input, frames: 6400)
        let delay = 64 * here.outputCount
        #expect(other.prefix(delay).allSatisfy { $0 == 0 })
        #expect(other.dropFirst(delay).map(\.bitPattern) == own.dropLast(delay).map(\.bitPattern))
        #expect(own.contains { $0 != 0 })
    }

    @Test("in the same cycle the sound is bit-identical, without delay", arguments: real)
    func sameCycle(_ uri: String) throws {
        let here = try world.makeProcessor(uri)
        let there = try world.makeProcessor(uri, isolation: .sameCycle)
        #expect(there.latencyFrames == here.latencyFrames)
        let input = whiteNoise(amplitude: 0.25, frames: 64 * 100 * here.inputCount, seed: 3)
        let own = here.render(input, frames: 6400)
        #expect(there.render(input, frames: 6400).map(\.bitPattern) == own.map(\.bitPattern))
    }

    @Test("the delay is the longest block, however short the calls are", arguments: [1, 7, 31, 64])
    func partition(_ callFrames: Int) throws {
        let amplifier = "http://lv2plug.in/plugins/eg-amp"
        let there = try world.makeProcessor(amplifier, isolation: .process)
        let input = whiteNoise(amplitude: 0.5, frames: 2000, seed: 5)
        let output = there.render(input, frames: 2000, blockFrames: callFrames)
        #expect(output.prefix(64).allSatisfy { $0 == 0 })
        #expect(Array(output.dropFirst(64)) == Array(input.prefix(output.count - 64)))
    }

    @Test(
        "a plugin that ends its process while it is created is refused with the reason",
        arguments: [
            (
                "crash-instantiate",
                "its process was terminated by signal 11 (Segmentation fault) while it was being created"
            ),
            ("exit-instantiate", "its process exited with status 3 while it was being created"),
            ("crash-activate", "while it was being activated"),
            ("exit-activate", "status 3 while it was being activated"),
            ("null", "the plugin returns no instance"),
            ("absent", "absent.so: cannot open shared object file"),
        ])
    func refusal(_ name: String, _ reason: String) throws {
        let error = #expect(throws: PluginError.self) {
            try world.makeProcessor("urn:stompline-test:" + name, isolation: .process)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("without a program for its process, a plugin is refused")
    func noProgram() {
        let error = #expect(throws: PluginError.self) {
            try PluginWorld().makeProcessor("http://lv2plug.in/plugins/eg-amp", isolation: .process)
        }
        #expect(error?.message.contains("cannot run in its own process here") == true)
    }

    @Test(
        "a plugin that ends its process while it is freed does no harm",
        arguments: ["crash-deactivate", "crash-cleanup", "exit-deactivate", "exit-cleanup"])
    func cleanup(_ name: String) throws {
        for _ in 0..<2 {
            let processor = try world.makeProcessor(
                "urn:stompline-test:" + name, isolation: .process)
            #expect(processor.render([Float](repeating: 0.5, count: 256), frames: 256)[200] == 1)
        }
    }

    @Test("parameters move as they do in-process")
    func parameters() throws {
        let here = try LivePlaying("http://lv2plug.in/plugins/eg-amp", isLive: false)
        let there = try LivePlaying(
            "http://lv2plug.in/plugins/eg-amp", ", \"isolate\": true", isLive: false)
        for playing in [here, there] {
            for value in [Float(-12), 3, -90] {
                playing.play(10)
                playing.set(0, value)
            }
            playing.play(40)
        }
        #expect(Array(there.sound.dropFirst(64)) == Array(here.sound.dropLast(64)))
    }

    @Test("the processor's flags are set in the plugin's process")
    func denormals() throws {
        for node in ["", ", \"isolate\": true"] {
            let playing = try LivePlaying("urn:stompline-test:denormal-flags", node, isLive: false)
            playing.play(4)
            #expect(playing.sound[128] == 1)
        }
    }

    @Test("a plugin with 500 controls plays and receives each value")
    func manyControls() throws {
        let playing = try LivePlaying(
            "urn:stompline-test:many", ", \"isolate\": true", isLive: false)
        for target in 0..<500 { playing.set(Int32(target), 0.25) }
        playing.play(8)
        #expect(playing.sound.contains { $0 != 0 })
        #expect(playing.incidents.isEmpty)
    }
}
