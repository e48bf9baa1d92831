import Engine
import SessionCore
import Testing

@Suite("Edits of an output's channels")
struct ChannelEditTests {
    private func file(channels: Int) -> String {
        """
        "inputs": { "in": { "channels": 1 } }, "outputs": { "out": { "channels": \(channels) } },
        "nodes": [ { "id": "a", "type": "gain" } ], "tail": 0
        """
    }

    @Test("may remove a channel at any moment after it was added")
    func channelComesAndGoes() throws {
        for blocks in 1...80 {
            let stage = try Stage(file(channels: 1))
            _ = stage.play([Float](repeating: 0.5, count: 640))
            try stage.edit(file(channels: 2))
            _ = stage.play([Float](repeating: 0.5, count: 64 * blocks))
            try stage.edit(file(channels: 1))
            let out = stage.play([Float](repeating: 0.5, count: 19_200))
            #expect(stage.session.ports.outputSlots == 1, "after \(blocks) blocks")
            #expect(abs((out[0].last ?? 0) - 0.5) < 1e-4, "after \(blocks) blocks")
        }
    }
}
