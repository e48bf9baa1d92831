internal import Pipelines
internal import Testing

/// An error is reported once, without the errors that only follow from it.
@Suite("No cascades")
struct CascadeTests {
    @Test("unknown effects and plugins cause no further errors")
    func format() {
        let text = """
            {
              "version": 1,
              "inputs":  { "mic":  { "channels": 1, "connect": ["system:capture_1"] } },
              "outputs": { "main": { "channels": 2, "connect": ["system:playback_1", "system:playback_2"] } },
              "nodes": [
                { "id": "cut", "type": "filter", "parameters": { "shape": "highpass", "frequency": 120, "order": 5 } },
                { "id": "pitch", "type": "vocoder", "settings": { "mode": "voice" },
                  "parameters": { "semitones": 4, "formant-semitones": 0 } },
                { "id": "verb", "type": "lv2", "uri": "http://calf.sourceforge.net/plugins/Reverb",
                  "parameters": { "decay_time": 2.5 }, "mix": 0.35 }
              ],
              "scenes": { "verse": { "verb.mix": 0.1 }, "chorus": { "verb.mix": 0.5, "pitch.semitones": 7 } },
              "midi": [ { "cc": 11, "to": "pitch.semitones", "range": [0, 12] }, { "program": 2, "scene": "chorus" } ]
            }
            """
        #expect(errors(text).map(\.code) == [.unknownType, .plugin])
    }

    @Test(
        "an error in a chain is the only one",
        arguments: [
            // The node's id is invalid, and other nodes use it.
            (
                #"{"id": "1st", "type": "gain"}, {"id": "b", "type": "gain", "from": "1st"}"#,
                "range"
            ),
            // The node's source does not exist, so its channels are unknown.
            (
                #"{"id": "a", "type": "gain", "from": "x"}, {"id": "v", "type": "lv2", "uri": "urn:fake:sum"}"#,
                "reference"
            ),
            // The strips are unknown, so their parameters are unknown too.
            (#"{"id": "m", "type": "mixer", "from": 5, "parameters": {"a.gain": 1}}"#, "type"),
            // A loop has no channel count.
            (
                #"{"id": "a", "type": "gain", "from": "v"}, {"id": "v", "type": "lv2", "uri": "urn:fake:duck"}"#,
                "cycle"
            ),
            // A reference may mean a node without an id.
            (#"{"type": "gain"}, {"id": "b", "type": "gain", "from": "a"}"#, "missing-key"),
            (#"{"id": "a", "type": "gain", "parameters": {"gain": 99, "pan": 0}}"#, "range"),
            (#"7, {"id": "a", "type": "gain"}"#, "type"),
        ])
    func chains(nodes: String, code: String) {
        #expect(errors(pipeline(nodes: nodes)).map(\.code.rawValue) == [code])
    }

    @Test("a name with a colon is an error, and not treated as a port if nothing refers to it")
    func colons() {
        let text = """
            { "version": 1, "inputs": { "a:b": {} }, "nodes": [{ "id": "x:y", "type": "gain" }] }
            """
        #expect(errors(text).map(\.code) == [.range, .range])
    }
}
