@testable internal import Control

extension FuzzTarget {
    /// Packets from the network for the access control of an OSC server: tokens, challenges and
    /// answers.
    ///
    /// The length of a packet selects one of five senders; an empty packet answers the last
    /// challenge.
    static let accessControl = FuzzTarget(
        name: "access-control",
        run: { bytes in
            var server = TestedAccessControl()
            for packet in OSCGrammar.packets(bytes) { server.handle(packet) }
        },
        mutate: { doorGrammar.mutated($0, $1) },
        seeds: {
            let word = OSCWriter.message("/token", [.text("word")])
            let dump = OSCWriter.message("/dump", [])
            return [
                OSCGrammar.input([word, [], dump]), OSCGrammar.input([dump, dump]),
                OSCGrammar.input([OSCWriter.bundle([word, dump]), []]),
                OSCGrammar.input([OSCWriter.message("/challenge", [.long(7)])]),
            ]
        }, explain: explainPackets)

    private static let doorGrammar = OSCGrammar(
        paths: ["/token", "/token", "/challenge", "/dump", "/level/gain"],
        texts: ["word", "wor", "words", "", "1234"])
}

/// An access control under test, with checks of its invariants.
private struct TestedAccessControl {
    private var access = AccessControl(token: OSCToken("word"))
    private var received: [Endpoint: Int] = [:]
    private var sent: [Endpoint: Int] = [:]
    private var lastChallenge: (number: Int64, sender: Endpoint)?
    private var nowSeconds = 0.0
    private var saidWord: Set<Endpoint> = []

    mutating func handle(_ packet: [UInt8]) {
        nowSeconds += 0.25
        if packet.isEmpty, let last = lastChallenge {
            send(OSCWriter.message("/challenge", [.long(last.number)]), from: last.sender)
        } else {
            send(packet, from: Endpoint(address: 0x0A00_0001 + UInt32(packet.count % 5), port: 9))
        }
    }

    private mutating func send(_ packet: [UInt8], from sender: Endpoint) {
        received[sender, default: 0] += packet.count
        access.receive(packet.count, from: sender)
        if !access.admits(sender, nowSeconds: nowSeconds), OSCPacket.isForAccessControl(packet[...])
        {
            for message in OSCPacket.accessMessages(in: packet[...]) {
                require(
                    AccessControl.isFor(message), "\(message.path) is not for the access control")
                handle(message, from: sender)
            }
        }
        require(
            !access.admits(sender, nowSeconds: nowSeconds) || saidWord.contains(sender),
            "a sender is admitted that has not said the word")
        reply(packet.count + 40, to: sender)
    }

    private mutating func handle(_ message: OSCMessage, from sender: Endpoint) {
        if message.arguments.first?.text == "word" { saidWord.insert(sender) }
        switch access.handle(message, from: sender, nowSeconds: nowSeconds) {
        case .admitted(let number?), .notCompared(let number?):
            lastChallenge = (number, sender)
            reply(28, to: sender)
        case .admitted, .notCompared, .proven, .wrongToken, .nothing: break
        }
    }

    /// Checks that an unproven address receives less than three times the bytes that it sent.
    private mutating func reply(_ byteCount: Int, to receiver: Endpoint) {
        guard access.allows(byteCount, to: receiver), !access.isProven(receiver) else { return }
        sent[receiver, default: 0] += byteCount
        require(
            sent[receiver, default: 0] < 3 * received[receiver, default: 0],
            "an address got \(sent[receiver, default: 0]) bytes for \(received[receiver, default: 0])"
        )
    }
}
