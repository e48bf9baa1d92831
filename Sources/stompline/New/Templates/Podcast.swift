extension StarterTemplate {
    /// Two people, jingles, and recorders.
    static let podcast = StarterTemplate(
        name: "podcast", summary: "two people, jingles, and recorders",
        places: [
            "host": "the host's microphone", "guest": "the guest's microphone",
            "jingle": "the program that plays jingles", "controls": "the controller (MIDI)",
            "phones": "the headphones",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Podcast",
              "description": "Two people at two microphones, and jingles from a computer. \#
            Three recorders write the host, the guest and the mix into the folder takes: one \#
            file each, with the second before you pressed the button. The scene record \#
            starts them, pause stops them; a new record continues in the same files. The \#
            keys F1 and F2 call these scenes, F3 and F4 let the jingle in and out. Switch 80 \#
            records and pauses, 81 lets the jingle in, 82 out. The controllers 20 and 21 are \#
            the levels of host and guest in the mix, 22 that of the jingle. The files of the \#
            host and the guest contain their microphones as they are. Needs no plugin.",
              "inputs": {
                "host": { "connect": ["system:capture_1"] },
                "guest": { "connect": ["system:capture_2"] },
                "jingle": { "channels": 2 },
                "controls": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": { "phones": { "channels": 2, "from": "mix-take", "connect": ["system:playback_1", "system:playback_2"] } },
              "nodes": [
                { "id": "host-take", "type": "recorder", "from": "host", "parameters": { "recording": false },
                  "settings": { "file": "takes/%Y-%m-%d %H.%M.%S host.flac", "pre-roll": 1 } },
                { "id": "host-cut", "type": "filter",
                  "parameters": { "shape": "highpass", "frequency": 85, "order": 4 } },
                { "id": "host-voice", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 3500, "gain": 2, "q": 0.8 } },
                { "id": "guest-take", "type": "recorder", "from": "guest", "parameters": { "recording": false },
                  "settings": { "file": "takes/%Y-%m-%d %H.%M.%S guest.flac", "pre-roll": 1 } },
                { "id": "guest-cut", "type": "filter",
                  "parameters": { "shape": "highpass", "frequency": 85, "order": 4 } },
                { "id": "guest-voice", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 3500, "gain": 2, "q": 0.8 } },
                { "id": "bed", "type": "gain", "from": "jingle", "parameters": { "gain": -120 } },
                { "id": "mix", "type": "mixer", "from": ["host-voice", "guest-voice", "bed"], "settings": { "channels": 2 },
                  "parameters": { "gain": 2, "host-voice.pan": -0.2, "guest-voice.pan": 0.2, "bed.gain": -6 } },
                { "id": "mix-take", "type": "recorder", "parameters": { "recording": false },
                  "settings": { "file": "takes/%Y-%m-%d %H.%M.%S mix.flac", "pre-roll": 1 } }
              ],
              "scenes": {
                "pause": { "host-take.recording": false, "guest-take.recording": false, "mix-take.recording": false },
                "record": { "host-take.recording": true, "guest-take.recording": true, "mix-take.recording": true },
                "jingle in": { "bed.gain": 0, "over": 0.5 },
                "jingle out": { "bed.gain": -120, "over": 3 }
              },
              "scene": "pause",
              "midi": [
                { "key": "f1", "scene": "record" },
                { "key": "f2", "scene": "pause" },
                { "key": "f3", "scene": "jingle in" },
                { "key": "f4", "scene": "jingle out" },
                { "cc": 80, "mode": "toggle",
                  "to": [{ "address": "host-take.recording" }, { "address": "guest-take.recording" }, { "address": "mix-take.recording" }] },
                { "cc": 81, "scene": "jingle in" },
                { "cc": 82, "scene": "jingle out" },
                { "cc": 20, "to": "mix.host-voice.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 21, "to": "mix.guest-voice.gain", "range": [-60, 6], "takeover": "pickup" },
                { "cc": 22, "to": "mix.bed.gain", "range": [-60, 0], "takeover": "pickup" }
              ]
            }

            """#)
}
