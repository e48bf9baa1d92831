extension StarterTemplate {
    /// A monitor mix for each musician.
    static let monitor = StarterTemplate(
        name: "monitor", summary: "a monitor mix for each musician",
        places: [
            "vocal": "the vocal microphone", "guitar": "the guitar", "bass": "the bass",
            "keys": "the keyboard", "controls": "the controller (MIDI)",
            "singer": "the singer's monitor", "band": "the band's monitor",
            "ears": "the in-ear monitors",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Monitor mix",
              "description": "A mix of its own for the singer, for the band, and for one \#
            pair of ears. singer-mix, band-mix and ears-mix each have a strip for the vocal, \#
            the guitar, the bass and the keyboard. guard removes the howls of the vocal \#
            microphone. Start it with --http 8080, and the musicians change their mixes in a \#
            browser. The controllers 20 to 23 are the strips of the singer, 24 to 27 those \#
            of the band, 28 to 31 those of the ears; the switches 80, 81 and 82 mute the \#
            mixes. The scene quiet makes all mixes quieter, show brings them back; so do the \#
            keys F2 and F1. Needs no plugin.",
              "inputs": {
                "vocal": { "connect": ["system:capture_1"] },
                "guitar": { "connect": ["system:capture_2"] },
                "bass": { "connect": ["system:capture_3"] },
                "keys": { "channels": 2, "connect": ["system:capture_4", "system:capture_5"] },
                "controls": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": {
                "singer": { "from": "singer-level", "connect": ["system:playback_1"] },
                "band": { "from": "band-level", "connect": ["system:playback_2"] },
                "ears": { "channels": 2, "from": "ears-level", "connect": ["system:playback_3", "system:playback_4"] }
              },
              "nodes": [
                { "id": "vocal-cut", "type": "filter", "from": "vocal",
                  "parameters": { "shape": "highpass", "frequency": 110, "order": 4 } },
                { "id": "guard", "type": "feedback-guard" },
                { "id": "voice", "type": "gain" },
                { "id": "strings", "type": "filter", "from": "guitar",
                  "parameters": { "shape": "highpass", "frequency": 80 } },
                { "id": "low", "type": "filter", "from": "bass",
                  "parameters": { "shape": "highpass", "frequency": 35 } },
                { "id": "keys-mono", "type": "mixer", "from": ["keys:1", "keys:2"], "settings": { "channels": 1 },
                  "parameters": { "gain": -6 } },
                { "id": "singer-mix", "type": "mixer", "from": ["voice", "strings", "low", "keys-mono"],
                  "settings": { "channels": 1 },
                  "parameters": { "gain": -3, "strings.gain": -9, "low.gain": -12, "keys-mono.gain": -6 } },
                { "id": "singer-level", "type": "gain" },
                { "id": "band-mix", "type": "mixer", "from": ["voice", "strings", "low", "keys-mono"],
                  "settings": { "channels": 1 },
                  "parameters": { "gain": -3, "voice.gain": -3, "strings.gain": -6, "low.gain": -9, "keys-mono.gain": -6 } },
                { "id": "band-level", "type": "gain" },
                { "id": "ears-mix", "type": "mixer", "from": ["voice", "strings", "low", "keys"],
                  "settings": { "channels": 2 },
                  "parameters": { "gain": -3, "strings.gain": -6, "strings.pan": -0.4, "low.gain": -6, "keys.gain": -6 } },
                { "id": "ears-level", "type": "gain" }
              ],
              "scenes": {
                "show": { "singer-level.gain": 0, "band-level.gain": 0, "ears-level.gain": 0, "over": 0.5 },
                "quiet": { "singer-level.gain": -12, "band-level.gain": -12, "ears-level.gain": -12, "over": 0.5 }
              },
              "scene": "show",
              "midi": [
                { "key": "f1", "scene": "show" },
                { "key": "f2", "scene": "quiet" },
                { "cc": 20, "to": "singer-mix.voice.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 21, "to": "singer-mix.strings.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 22, "to": "singer-mix.low.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 23, "to": "singer-mix.keys-mono.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 24, "to": "band-mix.voice.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 25, "to": "band-mix.strings.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 26, "to": "band-mix.low.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 27, "to": "band-mix.keys-mono.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 28, "to": "ears-mix.voice.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 29, "to": "ears-mix.strings.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 30, "to": "ears-mix.low.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 31, "to": "ears-mix.keys.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 80, "to": "singer-level.mute", "mode": "toggle" },
                { "cc": 81, "to": "band-level.mute", "mode": "toggle" },
                { "cc": 82, "to": "ears-level.mute", "mode": "toggle" }
              ]
            }

            """#)
}
