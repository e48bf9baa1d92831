@testable internal import Control
internal import SessionCore

extension FuzzTarget {
    /// The file of a session manager's session: it is read, applied to a session, and written
    /// again.
    static let session = FuzzTarget(
        name: "session",
        run: { bytes in
            _ = InputFile.inMemory(bytes, name: SessionFile.name)
            guard var file = try? SessionFile.read(inFolder: InputFile.folder) else { return }
            let rehearsal = OSCConversation()
            for request in file.requests.prefix(64) { rehearsal.perform(request) }
            file.keep(rehearsal.dump())
            rehearsal.end()
            do {
                try file.write(inFolder: InputFile.folder)
                let copy = try SessionFile.read(inFolder: InputFile.folder)
                require(copy == file, "the session file reads differently after it was written")
            } catch { fatalError("\(error)") }
        },
        seeds: {
            [
                #"{"version":1,"plays":"pipeline.json","values":{"song":"second","scene":"verse","tempo":120,"mute":false,"gain":-3,"level.gain":-6.5,"echo.bypass":true}}"#,
                #"{"version":1,"plays":"/a/b.json","values":{"scene":-2147483648,"song":1,"tuner":"in:1","level.gain":1e300}}"#,
                #"{"plays":"x"}"#, #"{"version":1,"plays":"","values":[]}"#,
            ].map { Array($0.utf8) }
        })

    /// The messages of a session manager.
    static let managerMessages = FuzzTarget(
        name: "nsm",
        run: { bytes in
            var dialogue = SessionDialogue()
            for packet in OSCGrammar.packets(bytes) {
                for message in OSCPacket.messages(in: packet[...]) ?? [] {
                    switch dialogue.receive(message) {
                    case .reply(let reply): checkSent([reply])
                    case .order(let order):
                        let error = message.path.isEmpty ? nil : message.path
                        checkSent(dialogue.answer(to: order, error: order == .save ? nil : error))
                        checkSent(dialogue.dirtiness(true))
                    case .none, .welcome, .refused: break
                    }
                }
            }
        },
        mutate: { managerGrammar.mutated($0, $1) },
        seeds: {
            [
                OSCWriter.message(
                    "/reply", [.text("/nsm/server/announce"), .text("hello"), .text("Manager")]),
                OSCWriter.message(
                    "/nsm/client/open", [.text("/tmp/a"), .text("A"), .text("stompline.nABC")]),
                OSCWriter.message("/nsm/client/save", []),
                OSCWriter.message(
                    "/error", [.text("/nsm/server/announce"), .integer(-1), .text("no")]),
            ].map { OSCGrammar.input([$0]) }
        }, explain: explainPackets)

    private static let managerGrammar = OSCGrammar(
        paths: [
            "/reply", "/error", "/nsm/client/open", "/nsm/client/save",
            "/nsm/client/session_is_loaded", "/nsm/client/show_optional_gui", "/",
        ],
        texts: [
            "/nsm/server/announce", "/nsm/client/open", "/tmp/session", "", "/", "..",
            "stompline.nABCD", "name",
        ])
}

private func checkSent(_ messages: [OSCMessage]) {
    for message in messages {
        require(OSCMessage(bytes: message.bytes) != nil, "\(message) cannot be read again")
    }
}
