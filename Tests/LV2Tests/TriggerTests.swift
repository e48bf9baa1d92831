import Engine
import LV2
import Pipelines
import Processing
import Testing

@Suite("Ports of plugins that are triggers")
struct TriggerTests {
    private static let fire: Int32 = 0
    private static let reset: Int32 = 1
    private static let level: Int32 = 2

    private func player(_ node: String = "") throws -> EventPlayer {
        try EventPlayer(
            """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [{ "id": "t", "type": "lv2", "uri": "urn:stompline-test:trigger"\(node) }],
              "scenes": { "go": { "t.fire": true, "t.reset": true } },
              "midi": [{ "note": 60, "to": "t.reset" }] }
            """)
    }

    /// Renders blocks, and returns the value of a port in each.
    private func values(_ player: EventPlayer, _ port: Int32, blocks: Int) -> [Float] {
        (0..<blocks).map { _ in player.render(64)[0][Int(port)] }
    }

    private func send(_ player: EventPlayer, _ port: Int32, _ value: Float, at frame: UInt64 = 0) {
        #expect(player.engine.send(.set(node: 0, target: port, value: value, frame: frame)))
    }

    @Test("switches and numbers from 0 to 1 are actions; other ports keep their values")
    func descriptions() throws {
        let parameters = try HostileBundle.world.description(
            ofPlugin: "urn:stompline-test:trigger"
        ).parameters
        #expect(parameters.map(\.isTrigger) == [true, true, false])
        // The kind remains, so files with numbers remain valid.
        #expect(parameters.map(\.kind) == [.toggle, .integer, .continuous(.linear)])
        _ = try player(", \"parameters\": { \"reset\": 1, \"fire\": true, \"level\": 0.25 }")
        _ = try player(", \"parameters\": { \"reset\": true }")
    }

    @Test("a message acts in one run, and the port returns to its default")
    func once() throws {
        let player = try player()
        #expect(values(player, Self.fire, blocks: 3) == [0, 0, 0])
        send(player, Self.fire, 1)
        #expect(values(player, Self.fire, blocks: 4) == [1, 0, 0, 0])
        // A release is no message.
        send(player, Self.fire, 0)
        #expect(values(player, Self.fire, blocks: 2) == [0, 0])
        send(player, Self.level, 1)
        #expect(values(player, Self.level, blocks: 3) == [1, 1, 1])
    }

    @Test("each of several messages in a period acts, in a run of its own")
    func several() throws {
        let player = try player()
        for frame in [0, 10, 40] as [UInt64] { send(player, Self.reset, 1, at: frame) }
        #expect(values(player, Self.reset, blocks: 7) == [1, 0, 1, 0, 1, 0, 0])
    }

    @Test("a value at load has no effect; a scene and a note act each time")
    func sources() throws {
        let player = try player(", \"parameters\": { \"fire\": true }")
        #expect(values(player, Self.fire, blocks: 2) == [0, 0])
        for _ in 0..<2 {
            #expect(player.engine.send(.scene(0)))
            #expect(values(player, Self.fire, blocks: 2) == [1, 0])
        }
        for _ in 0..<2 {
            let first = player.render(64, [.init(frame: 5, bytes: [0x90, 60, 1])])[0]
            #expect(first[Int(Self.reset)] == 1)
            #expect(values(player, Self.reset, blocks: 2) == [0, 0])
        }
    }

    @Test("a trigger reaches a plugin in its own process once")
    func isolated() throws {
        let player = try player(", \"isolate\": \"same-cycle\"")
        _ = player.render(64)
        send(player, Self.fire, 1)
        #expect(values(player, Self.fire, blocks: 4) == [1, 0, 0, 0])
    }

    @Test("the trigger of an installed plugin sends its MIDI message each time")
    func installed() throws {
        let player = try EventPlayer(
            """
            { "version": 1, "inputs": { "keys": { "kind": "midi" } }, "outputs": {
                "notes": { "kind": "midi" } },
              "nodes": [{ "id": "gen", "type": "lv2", "uri": "URI",
                          "parameters": { "b1": 144, "b2": 60, "b3": 100 } }] }
            """.replacing("URI", with: Self.generator))
        _ = player.render(64)
        let trigger = try HostileBundle.world.description(ofPlugin: Self.generator).parameters
            .firstIndex { $0.isTrigger }
        for _ in 0..<3 {
            send(player, Int32(try #require(trigger)), 1)
            for _ in 0..<3 { _ = player.render(64) }
        }
        #expect(player.given.map(\.bytes) == [[144, 60, 100], [144, 60, 100], [144, 60, 100]])
    }

    private static let generator = "http://gareus.org/oss/lv2/mididebug"
}
