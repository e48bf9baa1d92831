import Pipelines
import Processing
import Testing

@Suite("Bindings to values of the session")
struct MasterBindingTests {
    private func bindings(_ midi: String) throws -> [Pipeline.Binding] {
        try decode(
            """
            {"version": 1, "nodes": [{"id": "gain", "type": "gain"}], "midi": [\(midi)]}
            """
        ).bindings
    }

    private func movement(_ midi: String) throws -> Pipeline.Binding.Action? {
        try bindings(midi).first?.action
    }

    @Test("gain, tempo and mute have their ranges; the gain ends at 0 dB unless a range says more")
    func ranges() throws {
        #expect(
            try movement(#"{"cc": 7, "to": "gain"}"#)
                == .move(
                    .master(.gain), from: -120, to: 0, curve: .linear, mode: .absolute,
                    takeover: .jump))
        #expect(
            try movement(#"{"cc": 7, "to": "gain", "range": [-6, 12], "takeover": "pickup"}"#)
                == .move(
                    .master(.gain), from: -6, to: 12, curve: .linear, mode: .absolute,
                    takeover: .pickup))
        #expect(
            try movement(#"{"cc": 7, "to": "tempo", "mode": "relative"}"#)
                == .move(
                    .master(.tempo), from: 20, to: 400, curve: .linear, mode: .relative,
                    takeover: .jump))
        #expect(
            try movement(#"{"note": 7, "to": "mute", "mode": "toggle"}"#)
                == .move(
                    .master(.mute), from: 0, to: 1, curve: .linear, mode: .toggle,
                    takeover: .jump))
        #expect(
            try movement(#"{"note": 7, "to": "tempo", "values": [90, 120.5]}"#)
                == .cycle(.master(.tempo), values: [90, 120.5]))
        #expect(try bindings(#"{"cc": 7, "to": "gain", "taper": "audio"}"#)[0].taper == .audio)
    }

    @Test("a node with the name of a value of the session keeps its addresses")
    func names() throws {
        let both = try bindings(
            #"{"cc": 7, "to": [{"address": "gain"}, {"address": "gain.gain"}]}"#)
        #expect(both.count == 2)
        guard case .move(.node(let address), _, _, _, _, _) = both[1].action else {
            Issue.record("the second address is that of a node")
            return
        }
        #expect(address.node == 0)
    }

    @Test("a learned control is written for a value, an action, a scene or a song")
    func learned() throws {
        let text = try PipelineText(Array(#"{"version": 1, "nodes": []}"#.utf8))
        func added(_ target: String, _ trigger: Pipeline.Binding.Trigger) throws -> String {
            let control = LearnedTrigger(trigger: trigger, channel: 1, port: nil, isFine: true)
            return String(decoding: try text.adding(control, to: target).bytes, as: UTF8.self)
        }
        #expect(try added("gain", .controller(7)).contains(#""to": "gain""#))
        #expect(try added("tempo", .note(7)).contains(#""to": "tempo", "mode": "toggle""#))
        #expect(try added("mute", .note(7)).contains(#""action": "mute""#))
        #expect(try added("scene:a \"b\"", .note(7)).contains(#""scene": "a \"b\""}"#))
        #expect(try added("song:Opener", .program(7)).contains(#""song": "Opener""#))
        #expect(!(try added("song:Opener", .controller(7)).contains("bits")))
        #expect(LearnedTarget("gain").belongsToSong == false)
        #expect(LearnedTarget("gain.gain").belongsToSong)
        #expect(LearnedTarget("scene:gain").belongsToSong)
        #expect(!LearnedTarget("song:gain").belongsToSong && !LearnedTarget("panic").belongsToSong)
    }
}
