@testable internal import Control
internal import SessionCore

extension FuzzTarget {
    /// OSC packets for a session with an engine that renders.
    ///
    /// One thread does the work of the server's thread and of the session.
    static let osc = FuzzTarget(
        name: "osc",
        run: { bytes in
            let conversation = OSCConversation()
            for packet in OSCGrammar.packets(bytes) { conversation.handle(packet) }
            conversation.end()
        },
        mutate: { OSCConversation.grammar.mutated($0, $1) },
        seeds: {
            let messages: [(String, [OSCWriter.Argument])] = [
                ("/dump", []), ("/scene", [.text("verse")]), ("/scene", [.integer(2)]),
                ("/song", [.float(2)]), ("/tempo", [.double(140)]), ("/mute", [.raw(0x54, [])]),
                ("/gain", [.float(-6)]), ("/tuner", [.text("in:2")]), ("/tuner", [.text("")]),
                ("/learn", [.text("level.gain")]), ("/tap", []), ("/panic", []),
                ("/next-song", []), ("/level/gain", [.float(-3)]), ("/*/mix", [.float(0.5)]),
                ("/subscribe", [.text("/"), .float(10), .float(30)]), ("/sync", [.integer(7)]),
            ]
            let packets = messages.map { OSCWriter.message($0.0, $0.1) }
            return packets.map { OSCGrammar.input([$0]) }
                + [OSCGrammar.input(packets), OSCGrammar.input([OSCWriter.bundle(packets)])]
        },
        explain: explainPackets)
}

/// Describes the messages of an input's packets, one per line.
func explainPackets(_ bytes: [UInt8]) -> [String] {
    OSCGrammar.packets(bytes).enumerated().flatMap { index, packet in
        guard let messages = OSCPacket.messages(in: packet[...]) else {
            return ["packet \(index): \(packet.count) bytes that are no OSC"]
        }
        return messages.map { message in
            let arguments = message.arguments.map { "\($0)" }.joined(separator: " ")
            return "packet \(index): \(message.path.debugDescription) \(arguments)"
        }
    }
}
