extension StarterTemplate {
    /// A microphone and music for a stream.
    static let streaming = StarterTemplate(
        name: "streaming", summary: "a microphone and music for a stream",
        places: [
            "mic": "the microphone", "music": "the program that plays music",
            "controls": "the controller (MIDI)", "stream": "the program that sends the stream",
            "phones": "your headphones",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Streaming",
              "description": "A microphone and music for a stream. The output stream goes to \#
            the program that sends the stream: start that program, and connect it in a \#
            patchbay or write its ports into connect of the output stream; stompline ports \#
            lists them. You hear the same in the headphones. The scene starting plays music \#
            only, live opens the microphone and makes the music quiet, song brings the music \#
            back, break closes the microphone. The keys F1 to F4 call the scenes. Switch 80 \#
            mutes the microphone. Controller 7 is the level of the music, 11 that of the \#
            voice. show.reports.peak, and the terminal, state the level of the stream. Needs \#
            no plugin.",
              "inputs": {
                "mic": { "connect": ["system:capture_1"] },
                "music": { "channels": 2 },
                "controls": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": {
                "stream": { "channels": 2, "from": "show" },
                "phones": { "channels": 2, "from": "headphones", "connect": ["system:playback_1", "system:playback_2"] }
              },
              "nodes": [
                { "id": "cut", "type": "filter", "from": "mic",
                  "parameters": { "shape": "highpass", "frequency": 90, "order": 4 } },
                { "id": "mud", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 250, "gain": -3, "q": 1 } },
                { "id": "presence", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 3800, "gain": 2.5, "q": 0.8 } },
                { "id": "voice", "type": "gain" },
                { "id": "gate", "type": "gain", "parameters": { "mute": true } },
                { "id": "fader", "type": "gain", "from": "music" },
                { "id": "bed", "type": "gain" },
                { "id": "mix", "type": "mixer", "from": ["gate", "bed"], "settings": { "channels": 2 },
                  "parameters": { "gate.gain": 3, "bed.gain": -3 } },
                { "id": "show", "type": "meter" },
                { "id": "headphones", "type": "gain" }
              ],
              "scenes": {
                "starting": { "gate.mute": true, "bed.gain": 0, "over": 1 },
                "live": { "gate.mute": false, "bed.gain": -20, "over": 1.5 },
                "song": { "gate.mute": false, "bed.gain": 0, "over": 1.5 },
                "break": { "gate.mute": true, "bed.gain": -6, "over": 1 }
              },
              "scene": "live",
              "midi": [
                { "key": "f1", "scene": "starting" },
                { "key": "f2", "scene": "live" },
                { "key": "f3", "scene": "song" },
                { "key": "f4", "scene": "break" },
                { "program": 0, "scene": "starting" },
                { "program": 1, "scene": "live" },
                { "program": 2, "scene": "song" },
                { "program": 3, "scene": "break" },
                { "cc": 80, "to": "gate.mute", "mode": "toggle" },
                { "cc": 7, "to": "fader.gain", "taper": "audio", "takeover": "pickup" },
                { "cc": 11, "to": "voice.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
