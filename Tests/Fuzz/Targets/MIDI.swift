internal import CRealtime
internal import SessionCore

extension FuzzTarget {
    /// MIDI bytes for bindings of every kind, in an engine that renders.
    ///
    /// Each message is preceded by its frame and its length, one byte each; a frame above 127
    /// starts the next block.
    static let midi = FuzzTarget(
        name: "midi",
        run: { bytes in
            let stage: Stage
            do { stage = try Stage(boundSongs) } catch { fatalError("\(error)") }
            var source = ByteSource(bytes)
            var messages: [(frame: Int, bytes: [UInt8])] = []
            if source.isTrue() { _ = stage.session.perform(.set("learn", .text("a.gain"))) }
            while !source.isEmpty {
                let frame = source.below(256)
                if frame > 127 || messages.count > 32 {
                    render(messages, in: stage)
                    messages = []
                }
                let first = max(messages.last?.frame ?? 0, frame % stage.blockFrames)
                messages.append((first, source.bytes(source.below(8))))
            }
            render(messages, in: stage)
            stage.play(blocks: 4)
            stage.checkValues()
        },
        seeds: {
            [
                [0, 3, 3, 0xB0, 1, 64], [0, 0, 3, 0x90, 60, 100, 200, 3, 0x80, 60, 0],
                [1, 0, 2, 0xC0, 2, 130, 3, 0xB1, 33, 5, 5, 3, 0xB1, 1, 9],
                [0, 0, 3, 0xB0, 0, 1, 0, 3, 0xB0, 32, 2, 0, 2, 0xC0, 5],
                [0, 0, 1, 0xF8, 1, 4, 0xF0, 1, 2, 0xF7],
            ]
        })

    private static let boundSongs: [Song] = {
        let text = """
            "inputs": { "in": {}, "keys": { "kind": "midi" }, "pedals": { "kind": "midi" } },
            "nodes": [ { "id": "a", "type": "gain" }, { "id": "b", "type": "filter" } ],
            "scenes": { "one": { "a.gain": -3 }, "two": { "a.gain": -9, "b.frequency": 400 } },
            "midi": [
              { "cc": 1, "to": "a.gain", "range": [0, -40], "bits": 14 },
              { "cc": 2, "to": "b.frequency", "curve": "log", "takeover": "pickup" },
              { "cc": 3, "to": "b.mix", "mode": "relative" },
              { "cc": 4, "to": "b.shape", "mode": "relative", "encoding": "signed-bit" },
              { "cc": 5, "to": "a.mute", "mode": "relative", "encoding": "offset" },
              { "cc": 6, "to": "a.bypass", "mode": "toggle", "channel": 2 },
              { "cc": 7, "to": "a.mute", "mode": "momentary", "port": "pedals" },
              { "note": 60, "to": "b.bypass", "mode": "momentary" },
              { "note": 61, "to": "b.q" }, { "note": 62, "action": "tap-tempo" },
              { "note": 63, "action": "next-scene" }, { "note": 64, "action": "next-song" },
              { "program": 2, "scene": "two", "bank": 130 }, { "program": 3, "to": "a.pan" },
              { "cc": 8, "scene": "one" }, { "cc": 9, "action": "panic" },
              { "cc": 10, "action": "mute" },
              { "cc": 8, "action": "panic", "press": "long", "hold": 0.05 },
              { "cc": 8, "cycle": ["one", "two"], "press": "double", "window": 0.05 },
              { "note": 63, "to": "a.mute", "mode": "toggle", "press": "long", "guard": 0.1 },
              { "note": 65, "to": "a.gain", "values": [0, -3, -6], "guard": 0.01 },
              { "bend": true, "to": "a.pan" }, { "key-pressure": 60, "to": "b.q" },
              { "pressure": true, "to": [ { "address": "a.gain", "taper": "audio" } ] } ]
            """
        do {
            return [try Stage.song(text, name: "one"), try Stage.song(text, name: "two")]
        } catch { fatalError("the songs are not valid: \(error)") }
    }()
}

/// Renders a block with messages from both inputs.
private func render(_ messages: [(frame: Int, bytes: [UInt8])], in stage: Stage) {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8 * (messages.count + 1))
    let list = UnsafeMutablePointer<RTMessage>.allocate(capacity: messages.count + 1)
    let inputs = UnsafeMutablePointer<RTMessages>.allocate(capacity: 2)
    let sinks = UnsafeMutablePointer<RTMessageSink>.allocate(capacity: 4)
    defer {
        bytes.deallocate()
        list.deallocate()
        inputs.deallocate()
        sinks.deallocate()
    }
    for (index, message) in messages.enumerated() {
        (bytes + 8 * index).initialize(from: message.bytes, count: message.bytes.count)
        (list + index).initialize(
            to: RTMessage(
                frame: Int32(message.frame), byteCount: Int32(message.bytes.count),
                bytes: bytes + 8 * index))
    }
    inputs.initialize(
        repeating: RTMessages(first: list, count: Int32(messages.count), startFrame: 0), count: 2)
    sinks.initialize(repeating: RTMessageSink(), count: 4)
    var engineCall = RTEngineCall(
        messages: inputs, inputCount: 2, sinks: sinks, sinkCount: 4, isFreewheeling: false,
        transport: nil)
    stage.render(&engineCall)
    _ = stage.session.advance()
}
