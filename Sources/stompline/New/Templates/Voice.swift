extension StarterTemplate {
    /// A singer at one microphone.
    static let voice = StarterTemplate(
        name: "voice", summary: "a singer at one microphone",
        places: ["mic": "the microphone", "pedals": "the foot switches", "main": "the speakers"],
        text: #"""
            {
              "version": 1,
              "name": "Voice",
              "description": "A singer at one microphone. The sound is cleaned, howls are \#
            removed, and a doubled voice and an echo wait on switches. The scene talk is for \#
            the words between two songs, verse is the voice alone, chorus doubles it, bridge \#
            adds the echo. The keys F1 to F4 call the scenes. Switch 80 turns the doubled \#
            voice on and off, 81 the echo, and 82 goes from verse to chorus and back. The \#
            pedal on controller 11 is the volume, down to silence. Change cut.frequency in a \#
            boomy room, presence.gain for clearer words, and echo.beats for another echo. \#
            Needs no plugin.",
              "tempo": 96,
              "inputs": {
                "mic": { "connect": ["system:capture_1"] },
                "pedals": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": { "main": { "channels": 2, "connect": ["system:playback_1", "system:playback_2"] } },
              "nodes": [
                { "id": "cut", "type": "filter", "from": "mic",
                  "parameters": { "shape": "highpass", "frequency": 95, "order": 4 } },
                { "id": "guard", "type": "feedback-guard" },
                { "id": "mud", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 280, "gain": -3, "q": 1.2 } },
                { "id": "presence", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 3400, "gain": 2.5, "q": 0.8 } },
                { "id": "left", "type": "frequency-shift", "parameters": { "shift": -3 } },
                { "id": "left-late", "type": "delay", "parameters": { "time": 0.017, "feedback": 0 } },
                { "id": "right", "type": "frequency-shift", "from": "presence", "parameters": { "shift": 4 } },
                { "id": "right-late", "type": "delay", "parameters": { "time": 0.026, "feedback": 0 } },
                { "id": "pair", "type": "mixer", "from": ["left-late", "right-late"], "settings": { "channels": 2 },
                  "parameters": { "left-late.pan": -0.9, "right-late.pan": 0.9 } },
                { "id": "double", "type": "gain", "parameters": { "mute": true } },
                { "id": "throw", "type": "gain", "from": "presence", "parameters": { "mute": true } },
                { "id": "echo", "type": "delay", "parameters": { "beats": 0.75, "feedback": 0.4 } },
                { "id": "blend", "type": "mixer", "from": ["presence", "double", "echo"], "settings": { "channels": 2 },
                  "parameters": { "presence.gain": 3, "double.gain": -5, "echo.gain": -6 } },
                { "id": "volume", "type": "gain" }
              ],
              "scenes": {
                "talk": { "double.mute": true, "throw.mute": true, "cut.frequency": 130 },
                "verse": { "double.mute": true, "throw.mute": true, "cut.frequency": 95 },
                "chorus": { "double.mute": false, "throw.mute": true, "cut.frequency": 95 },
                "bridge": { "double.mute": true, "throw.mute": false, "cut.frequency": 95 }
              },
              "scene": "verse",
              "midi": [
                { "program": 0, "scene": "talk" },
                { "program": 1, "scene": "verse" },
                { "program": 2, "scene": "chorus" },
                { "program": 3, "scene": "bridge" },
                { "key": "f1", "scene": "talk" },
                { "key": "f2", "scene": "verse" },
                { "key": "f3", "scene": "chorus" },
                { "key": "f4", "scene": "bridge" },
                { "cc": 80, "to": "double.mute", "mode": "toggle" },
                { "cc": 81, "to": "throw.mute", "mode": "toggle" },
                { "cc": 82, "cycle": ["verse", "chorus"] },
                { "cc": 11, "to": "volume.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
