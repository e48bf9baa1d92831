extension StarterTemplate {
    /// Two decks, a crossfader and a microphone.
    static let dj = StarterTemplate(
        name: "dj", summary: "two decks, a crossfader and a microphone",
        places: [
            "deck-a": "deck a", "deck-b": "deck b", "mic": "the microphone",
            "controls": "the controller (MIDI)", "main": "the speakers", "phones": "the headphones",
        ],
        text: #"""
            {
              "version": 1,
              "name": "DJ",
              "description": "Two decks and a microphone. Each deck has bass, middle and \#
            treble, a level, and a place on the crossfader, controller 8: fade-a.mix and \#
            fade-b.mix state how much of a deck is gone, from 0 to 1. The controllers 20 to \#
            22 are the tone of deck a, 23 to 25 that of deck b, 26 and 27 their levels, and \#
            7 is the volume of the house. Switch 80 plays deck a in the headphones, 81 deck \#
            b, whatever the crossfader does. Switch 82 opens the microphone and makes the \#
            music quieter, and back; so do the keys F1 and F2. Connect the headphones to the \#
            outputs 3 and 4 of your interface. Needs no plugin.",
              "inputs": {
                "deck-a": { "channels": 2, "connect": ["system:capture_1", "system:capture_2"] },
                "deck-b": { "channels": 2, "connect": ["system:capture_3", "system:capture_4"] },
                "mic": { "connect": ["system:capture_5"] },
                "controls": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": {
                "main": { "channels": 2, "from": "house", "connect": ["system:playback_1", "system:playback_2"] },
                "phones": { "channels": 2, "from": "headphones", "connect": ["system:playback_3", "system:playback_4"] }
              },
              "nodes": [
                { "id": "low-a", "type": "filter", "from": "deck-a",
                  "parameters": { "shape": "lowshelf", "frequency": 180, "gain": 0 } },
                { "id": "mid-a", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 1000, "gain": 0, "q": 0.6 } },
                { "id": "high-a", "type": "filter",
                  "parameters": { "shape": "highshelf", "frequency": 4500, "gain": 0 } },
                { "id": "level-a", "type": "gain" },
                { "id": "fade-a", "type": "gain", "parameters": { "mute": true }, "mix": 0.5 },
                { "id": "cue-a", "type": "gain", "from": "level-a" },
                { "id": "low-b", "type": "filter", "from": "deck-b",
                  "parameters": { "shape": "lowshelf", "frequency": 180, "gain": 0 } },
                { "id": "mid-b", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 1000, "gain": 0, "q": 0.6 } },
                { "id": "high-b", "type": "filter",
                  "parameters": { "shape": "highshelf", "frequency": 4500, "gain": 0 } },
                { "id": "level-b", "type": "gain" },
                { "id": "fade-b", "type": "gain", "parameters": { "mute": true }, "mix": 0.5 },
                { "id": "cue-b", "type": "gain", "from": "level-b" },
                { "id": "voice", "type": "filter", "from": "mic",
                  "parameters": { "shape": "highpass", "frequency": 110, "order": 4 } },
                { "id": "talk", "type": "gain", "parameters": { "mute": true } },
                { "id": "decks", "type": "mixer", "from": ["fade-a", "fade-b"] },
                { "id": "music", "type": "gain" },
                { "id": "sum", "type": "mixer", "from": ["music", "talk"], "settings": { "channels": 2 },
                  "parameters": { "talk.gain": 3 } },
                { "id": "house", "type": "gain" },
                { "id": "headphones", "type": "mixer", "from": ["cue-a", "cue-b"], "parameters": { "gain": -3 } }
              ],
              "scenes": {
                "music": { "talk.mute": true, "music.gain": 0, "over": 0.8 },
                "talk": { "talk.mute": false, "music.gain": -14, "over": 0.3 }
              },
              "scene": "music",
              "midi": [
                { "key": "f1", "scene": "music" },
                { "key": "f2", "scene": "talk" },
                { "cc": 8, "to": [ { "address": "fade-a.mix", "range": [0, 1] }, { "address": "fade-b.mix", "range": [1, 0] } ] },
                { "cc": 20, "to": "low-a.gain", "range": [-36, 6], "takeover": "pickup" },
                { "cc": 21, "to": "mid-a.gain", "range": [-24, 6], "takeover": "pickup" },
                { "cc": 22, "to": "high-a.gain", "range": [-36, 6], "takeover": "pickup" },
                { "cc": 23, "to": "low-b.gain", "range": [-36, 6], "takeover": "pickup" },
                { "cc": 24, "to": "mid-b.gain", "range": [-24, 6], "takeover": "pickup" },
                { "cc": 25, "to": "high-b.gain", "range": [-36, 6], "takeover": "pickup" },
                { "cc": 26, "to": "level-a.gain", "taper": "audio", "takeover": "pickup" },
                { "cc": 27, "to": "level-b.gain", "taper": "audio", "takeover": "pickup" },
                { "cc": 80, "to": "cue-a.mute", "mode": "toggle" },
                { "cc": 81, "to": "cue-b.mute", "mode": "toggle" },
                { "cc": 82, "cycle": ["talk", "music"] },
                { "cc": 7, "to": "house.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
