@testable internal import Control
internal import SessionCore

/// An OSC server's loop with its session, driven packet by packet.
final class OSCConversation {
    /// Songs that contain every kind of address.
    private static let songs = [
        """
        "inputs": { "in": { "channels": 2 }, "keys": { "kind": "midi" } },
        "nodes": [
          { "id": "level", "type": "gain" }, { "id": "cut-off", "type": "filter" },
          { "id": "echo", "type": "delay", "settings": { "maximum": 0.1 } } ],
        "scenes": { "verse": { "level.gain": -6, "echo.mix": 0.2 },
                    "chorus": { "level.gain": 0, "echo.bypass": true }, "3": {} },
        "scene": "verse", "midi": [ { "cc": 11, "to": "level.gain" } ]
        """,
        """
        "inputs": { "in": { "channels": 2 } },
        "nodes": [
          { "id": "level", "type": "gain" }, { "id": "cut", "type": "filter" },
          { "id": "look", "type": "meter" } ],
        "scenes": { "verse": { "level.gain": -3 } }
        """,
    ].enumerated().map { index, text in
        do { return try Stage.song(text, name: index == 0 ? "first" : "second") } catch {
            fatalError("the songs are not valid: \(error)")
        }
    }

    /// The setlist of the songs.
    static let collection = Stage.collection(songs)

    /// The grammar of the requests.
    static let grammar: OSCGrammar = {
        let stage = OSCConversation().stage
        var addresses: [String] = []
        for song in 1...songs.count {
            _ = stage.session.perform(.set("song", .number(Double(song))))
            stage.play(blocks: 2)
            if case .values(let entries) = stage.session.perform(.dump) {
                addresses += entries.map(\.address)
            }
        }
        let deeds = [
            "tap", "panic", "next-scene", "previous-scene", "next-song", "previous-song",
            "save", "save-scene", "undo", "redo", "compare", "keep", "go", "back", "cue",
            "next-undo",
        ]
        let server = [
            "/subscribe", "/unsubscribe", "/meters", "/dump", "/sync", "/token", "/challenge",
            "/error", "/preparing", "/playing", "/saved", "/compared", "/kept", "/", "/*",
            "/*/mix", "/%",
            "/%2e", "/level/",
            "/level/none",
        ]
        // Addresses without a node occur more often, because each has its own rules.
        let words = addresses.filter { !$0.contains(".") }
        return OSCGrammar(
            paths: (addresses + words + words + deeds).map(OSCAddress.path(of:)) + server,
            texts: [
                "", ":", "in", "in:1", "in:2", "in:0", "in:", "keys", "verse", "chorus", "3",
                "first", "second", "1", "2", "0", "-1", "level.gain", "cut-off.shape", "level.",
                ".", "highpass", "true", "/", "/level", "/*", "/level/*", "/[a-z]/{gain,mix}",
                "nan", "inf", "1e308",
            ])
    }()

    private static let socket: DatagramSocket = {
        do { return try DatagramSocket(.loopback(port: 0)) } catch { fatalError("\(error)") }
    }()

    private let stage: Stage
    private let control: StageControl
    private let inbox = OSCInbox()
    private let loop: OSCLoop
    private let sender = Endpoint.loopback(port: 9)

    init() {
        do { stage = try Stage(Self.songs) } catch {
            fatalError("the show does not begin: \(error)")
        }
        control = StageControl(stage.session)
        loop = OSCLoop(
            Self.socket, access: AccessControl(token: nil), control: control, inbox: inbox,
            warn: { _ in })
        inbox.listen(true)
        control.watch { [inbox] event in inbox.put(event) }
        // The loop reads all addresses, and then the answer.
        inbox.put(.addressesChanged)
        for _ in 0..<2 { loop.follow(inbox.popAll()) }
    }

    deinit { control.watch(nil) }

    /// Handles a datagram, and lets the session and the engine process its effects.
    func handle(_ packet: [UInt8]) {
        let all = OSCPacket.messages(in: packet.prefix(OSCPacket.maximumBytes)) ?? []
        let messages = all.filter { !AccessControl.isFor($0) }
        for message in messages { checkCopy(of: message) }
        loop.receive(messages, from: sender, nowSeconds: 0)
        loop.sendRequests(nowSeconds: 0)
        stage.play(blocks: 1)
        // The second round follows the addresses that the first one asks for.
        for _ in 0..<2 { loop.follow(inbox.popAll()) }
        for (_, messages) in loop.dueEvents(nowSeconds: .greatestFiniteMagnitude) {
            for packet in OSCPacket.packets(of: messages) {
                require(OSCPacket.messages(in: packet[...]) != nil, "an event is no OSC")
            }
        }
        loop.dropReplies()
    }

    /// Renders some more blocks, and checks the final state.
    func end() {
        stage.play(blocks: 4)
        stage.checkValues()
    }

    /// Checks that a message that we send can be parsed again.
    private func checkCopy(of message: OSCMessage) {
        // Arguments of unknown types are never sent.
        let isOurs = message.arguments.allSatisfy { if case .other = $0 { false } else { true } }
        guard isOurs, let copy = OSCMessage(bytes: message.bytes) else { return }
        require(
            copy.path == message.path && copy.arguments.count == message.arguments.count,
            "\(message) is \(copy) after it was sent")
    }
}

extension OSCConversation {
    /// Performs a request as the session does, and lets the engine render a block.
    func perform(_ request: SessionRequest) {
        _ = stage.session.perform(request)
        stage.play(blocks: 1)
    }

    /// Returns the values of all addresses.
    func dump() -> [AddressValue] {
        if case .values(let entries) = stage.session.perform(.dump) { entries } else { [] }
    }
}
