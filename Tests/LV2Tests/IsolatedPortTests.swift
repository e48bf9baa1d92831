import CRealtime
import Engine
import LV2
import Processing
import Testing
import TestSignals

/// Blocks have 64 frames, which is the latency of `true`.
@Suite("Control voltages, bypass and latency of isolated plugins")
struct IsolatedPortTests {
    private let noise = whiteNoise(amplitude: 0.25, frames: 6400, seed: 3)

    @Test("control voltages pass both ways, a block later", arguments: IsolatedEventTests.ways)
    func voltage(_ way: (isolate: String, delay: Int)) throws {
        let player = try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 2, "limiter": false, "from": ["v:trace", "v:out"] } },
              "nodes": [{ "id": "v", "type": "lv2", "uri": "urn:stompline-test:voltage",
                "isolate": \(way.isolate), "ports": { "in": "in", "level": "in" } }] }
            """)
        let first = player.render(64, sound: Array(noise[..<64]))
        let second = player.render(64, sound: Array(noise[64..<128]))
        let input = noise[..<(128 - way.delay)]
        let silence = [Float](repeating: 0, count: way.delay)
        #expect(first[0] + second[0] == silence + input.map { $0 + 1 })
        #expect(first[1] + second[1] == silence + input.map { $0 * $0 })
    }

    @Test(
        "a bypassed plugin is switched off when it is inaudible, and on again without a step",
        arguments: IsolatedEventTests.ways)
    func bypassing(_ way: (isolate: String, delay: Int)) throws {
        let player = try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [{ "id": "s", "type": "lv2", "uri": "urn:stompline-test:switch",
                "isolate": \(way.isolate) }] }
            """)
        var sound: [Float] = []
        for block in 0..<200 {
            if block == 20 || block == 120 {
                let value: Float = block == 20 ? 1 : 0
                let target = Int32(RTTargetBypass.rawValue)
                #expect(player.engine.send(.set(node: 0, target: target, value: value, frame: 0)))
            }
            sound += player.render(64, sound: [Float](repeating: 0.5, count: 64))[0]
        }
        #expect(sound[64 * 60] == 0.5)
        #expect(sound.last == 0.25)
        let values = player.reports.compactMap { report -> Float? in
            if case .value(_, _, let value) = report { value } else { nil }
        }
        // 100 blocks of bypass, of which 15 are the crossfade.
        #expect((80...86).contains(values.last ?? 0))
    }

    @Test("a changed latency is reported with the block's delay, and the dry signal follows it")
    func latency() throws {
        let player = try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [{ "id": "l", "type": "lv2", "uri": "urn:stompline-test:late",
                "isolate": true, "mix": 0.5, "parameters": { "delay": 10 } }] }
            """)
        var sound: [Float] = []
        for block in 0..<100 {
            if block == 20 {
                #expect(player.engine.send(.set(node: 0, target: 0, value: 700, frame: 0)))
            }
            sound += player.render(64, sound: Array(noise[(block * 64)..<(block * 64 + 64)]))[0]
        }
        for _ in 0..<100 { _ = player.render(64) }
        let reported = player.reports.compactMap { report -> [Int32]? in
            if case .latency(let node, let frames) = report { [node, frames] } else { nil }
        }
        #expect(reported == [[0, 764]])
        #expect((74..<20 * 64).allSatisfy { sound[$0] == noise[$0 - 74] })
        #expect(((22 * 64 + 764)..<6400).allSatisfy { sound[$0] == noise[$0 - 764] })
        #expect(!player.reports.contains { if case .value = $0 { true } else { false } })
    }
}
