import CRealtime
import Engine
import LV2
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("Control voltages, bypass and latency of plugins")
struct SpecialPortTests {
    private let noise = whiteNoise(amplitude: 0.25, frames: 6400, seed: 3)

    // MARK: Control voltages

    private func voltage(_ node: String, output: String, channels: Int = 1) throws -> EventPlayer {
        try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": \(channels), "limiter": false, "from": \(output) } },
              "nodes": [{ "id": "v", "type": "lv2", "uri": "urn:stompline-test:voltage", \(node) }] }
            """)
    }

    @Test(
        "an unconnected control voltage has its default value, and `from` only selects audio")
    func resting() throws {
        let sound = try voltage("\"from\": \"in\"", output: "\"v\"").render(64, sound: noise)
        #expect(sound[0] == noise[..<64].map { $0 / 4 })
    }

    @Test("control-voltage inputs and outputs are both connected by their symbols")
    func fed() throws {
        let player = try voltage(
            "\"ports\": { \"in\": \"in\", \"level\": \"in\" }", output: "[\"v:trace\", \"v:out\"]",
            channels: 2)
        let sound = player.render(64, sound: noise)
        #expect(sound[0] == noise[..<64].map { $0 + 1 })
        #expect(sound[1] == noise[..<64].map { $0 * $0 })
    }

    @Test("a mono plugin with control voltages runs once per channel, each with its own voltages")
    func multiplied() throws {
        let player = try voltage("\"from\": [\"in\", \"in\", \"in\"]", output: "\"v\"", channels: 3)
        #expect(
            player.render(64, sound: noise)
                == Array(repeating: noise[..<64].map { $0 / 4 }, count: 3))
    }

    @Test("a bypassed node's audio is dry and its control voltages are silent")
    func dryVoltage() throws {
        let player = try voltage(
            "\"bypass\": true", output: "[\"v:trace\", \"v:out\"]", channels: 2)
        let sound = player.render(64, sound: noise)
        #expect(sound[0].allSatisfy { $0 == 0 })
        #expect(sound[1] == Array(noise[..<64]))
    }

    // MARK: The enabled port

    private func switching(_ node: String = "") throws -> EventPlayer {
        try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [{ "id": "s", "type": "lv2", "uri": "urn:stompline-test:switch"\(node) }] }
            """)
    }

    private var bypass: Int32 { Int32(RTTargetBypass.rawValue) }

    @Test("the enabled port is not a parameter, and is on if the plugin is not bypassed")
    func enabled() throws {
        let description = try HostileBundle.world.description(
            ofPlugin: "urn:stompline-test:switch")
        #expect(description.parameters.isEmpty)
        #expect(try switching().render(64, sound: noise)[0] == noise[..<64].map { $0 / 2 })
    }

    @Test("a bypassed plugin is switched off when inaudible, and on before it is heard again")
    func bypassing() throws {
        let player = try switching()
        let input = [Float](repeating: 0.5, count: 64)
        var sound: [Float] = []
        for block in 0..<100 {
            if block == 10 || block == 60 {
                let value: Float = block == 10 ? 1 : 0
                #expect(player.engine.send(.set(node: 0, target: bypass, value: value, frame: 0)))
            }
            sound += player.render(64, sound: input)[0]
        }
        // From half to whole and back, without the output of the disabled plugin, and without a
        // step.
        #expect(sound.allSatisfy { (0.25...0.5).contains($0) })
        #expect(zip(sound, sound.dropFirst()).allSatisfy { abs($0 - $1) < 0.002 })
        #expect(sound[30 * 64] == 0.5)
        #expect(sound.last == 0.25)
        let runs = player.reports.compactMap { report -> Float? in
            if case .value(_, _, let value) = report { value } else { nil }
        }
        // 50 blocks of bypass, of which 15 are the crossfade.
        #expect((30...36).contains(runs.last ?? 0))
    }

    @Test("a plugin that is bypassed at load is off from its first run on")
    func bypassedFromTheStart() throws {
        let player = try switching(", \"bypass\": true")
        for _ in 0..<100 { #expect(player.render(64, sound: noise)[0] == Array(noise[..<64])) }
        let runs = player.reports.compactMap { report -> Float? in
            if case .value(_, _, let value) = report { value } else { nil }
        }
        #expect(runs.last ?? 0 > 50)
    }

    // MARK: Latency

    private func late(_ node: String = "") throws -> EventPlayer {
        try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [{ "id": "l", "type": "lv2", "uri": "urn:stompline-test:late"\(node) }] }
            """)
    }

    @Test("a latency that changes during playback is reported once")
    func latency() throws {
        let player = try late()
        for _ in 0..<100 { _ = player.render(64) }
        #expect(player.engine.send(.set(node: 0, target: 0, value: 700, frame: 0)))
        for _ in 0..<200 { _ = player.render(64) }
        let reported = player.reports.compactMap { report -> [Int32]? in
            if case .latency(let node, let frames) = report { [node, frames] } else { nil }
        }
        #expect(reported == [[0, 700]])
    }

    @Test("the dry signal follows a latency that changes during playback", arguments: [0, 10])
    func dry(firstFrames: Int) throws {
        let player = try late(", \"mix\": 0.5, \"parameters\": { \"delay\": \(firstFrames) }")
        var sound: [Float] = []
        for block in 0..<100 {
            if block == 20 {
                #expect(player.engine.send(.set(node: 0, target: 0, value: 700, frame: 0)))
            }
            sound += player.render(64, sound: Array(noise[(block * 64)..<(block * 64 + 64)]))[0]
        }
        // Wet and dry are the same signal, so half of each adds up to the whole signal if they are
        // aligned.
        let before = firstFrames..<20 * 64
        #expect(before.allSatisfy { sound[$0] == noise[$0 - firstFrames] })
        let after = (21 * 64 + 700)..<6400
        #expect(after.allSatisfy { sound[$0] == noise[$0 - 700] })
    }

    @Test(
        "reports and sound that are not numbers are not passed on",
        arguments: ["nan", "infinite"], ["false", "true", "\"same-cycle\""])
    func notANumber(_ name: String, _ isolate: String) throws {
        let player = try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [{ "id": "n", "type": "lv2", "uri": "urn:stompline-test:\(name)",
                "isolate": \(isolate), "parameters": { "trigger": false } }] }
            """)
        func values() -> [Float] {
            player.reports.compactMap { report -> Float? in
                if case .value(_, _, let value) = report { value } else { nil }
            }
        }
        for _ in 0..<200 { _ = player.render(64, sound: noise) }
        let countBefore = values().count
        #expect(countBefore > 0)
        #expect(player.engine.send(.set(node: 0, target: 0, value: 1, frame: 0)))
        // The reports of the first blocks may still be from before.
        for _ in 0..<200 {
            let sound = player.render(64, sound: noise)[0]
            #expect(sound.allSatisfy { $0.isFinite })
        }
        #expect(values().allSatisfy { $0.isFinite })
        #expect(values().count <= countBefore + 1)
    }
}
