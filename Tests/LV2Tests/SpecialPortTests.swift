import CRealtime
import Engine
import LV2
import Pipelines
import Processing
import TestSignals
import Testing

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
        "a control voltage that nothing feeds rests at its default, and `from` is for audio alone")
    func resting() throws {
        let sound = try voltage("\"from\": \"in\"", output: "\"v\"").render(64, sound: noise)
        #expect(sound[0] == noise[..<64].map { $0 / 4 })
    }

    @Test("a control voltage is fed by its symbol, and one that a plugin gives is named by its own")
    func fed() throws {
        let player = try voltage(
            "\"ports\": { \"in\": \"in\", \"level\": \"in\" }", output: "[\"v:trace\", \"v:out\"]",
            channels: 2)
        let sound = player.render(64, sound: noise)
        #expect(sound[0] == noise[..<64].map { $0 + 1 })
        #expect(sound[1] == noise[..<64].map { $0 * $0 })
    }

    @Test("a mono plugin with control voltages is there once a channel, each with its own")
    func multiplied() throws {
        let player = try voltage("\"from\": [\"in\", \"in\", \"in\"]", output: "\"v\"", channels: 3)
        #expect(
            player.render(64, sound: noise)
                == Array(repeating: noise[..<64].map { $0 / 4 }, count: 3))
    }

    @Test("bypassed, a node's audio is dry and its control voltages are silent")
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

    @Test("the port that switches a plugin off is no parameter, and on where nothing is bypassed")
    func enabled() throws {
        let description = try HostileBundle.world.description(
            ofPlugin: "urn:stompline-test:switch")
        #expect(description.parameters.isEmpty)
        #expect(try switching().render(64, sound: noise)[0] == noise[..<64].map { $0 / 2 })
    }

    @Test("a bypassed plugin is switched off once it is not heard, and on before it is heard again")
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
        // From half to whole and back, without what the plugin gives while it is off, and without a step.
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

    @Test("a plugin that is bypassed from the beginning is off from its first run on")
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

    @Test("a latency that changes while it plays is reported once")
    func latency() throws {
        let player = try late()
        for _ in 0..<100 { _ = player.render(64) }
        #expect(player.engine.send(.set(node: 0, target: 0, value: 700, frame: 0)))
        for _ in 0..<200 { _ = player.render(64) }
        let told = player.reports.compactMap { report -> [Int32]? in
            if case .latency(let node, let frames) = report { [node, frames] } else { nil }
        }
        #expect(told == [[0, 700]])
    }

    @Test("the dry signal follows a latency that changes while it plays", arguments: [0, 10])
    func dry(firstFrames: Int) throws {
        let player = try late(", \"mix\": 0.5, \"parameters\": { \"delay\": \(firstFrames) }")
        var sound: [Float] = []
        for block in 0..<100 {
            if block == 20 {
                #expect(player.engine.send(.set(node: 0, target: 0, value: 700, frame: 0)))
            }
            sound += player.render(64, sound: Array(noise[(block * 64)..<(block * 64 + 64)]))[0]
        }
        // Wet and dry are one and the same signal, so half of each is all of it, where they are aligned.
        let before = firstFrames..<20 * 64
        #expect(before.allSatisfy { sound[$0] == noise[$0 - firstFrames] })
        let after = (21 * 64 + 700)..<6400
        #expect(after.allSatisfy { sound[$0] == noise[$0 - 700] })
    }

    @Test(
        "a reported value that is no number goes no further, nor does such sound",
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
        // What is reported in the first blocks may still be from before.
        for _ in 0..<200 {
            let sound = player.render(64, sound: noise)[0]
            #expect(sound.allSatisfy { $0.isFinite })
        }
        #expect(values().allSatisfy { $0.isFinite })
        #expect(values().count <= countBefore + 1)
    }
}
