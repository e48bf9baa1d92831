extension StarterTemplate {
    /// A keyboard or synthesizer in stereo.
    static let keys = StarterTemplate(
        name: "keys", summary: "a keyboard or synthesizer in stereo",
        places: [
            "keys": "the keyboard", "pedals": "its keys, wheels and foot switches (MIDI)",
            "main": "the speakers",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Keys",
              "description": "The sound of a stereo keyboard: tone, a filter on the wheel, a \#
            pad that holds a chord, and an echo. The scene piano is plain, organ is brighter \#
            with more bass, ambient has the echo. The keys F1 to F3 call the scenes. The \#
            modulation wheel, controller 1, darkens the sound as it goes up. Switch 81 turns \#
            the echo on and off; 82 holds the chord of this moment, and lets it go at the \#
            next press. The pedal on controller 11 is the volume, down to silence. Change \#
            low.gain and high.gain for the tone. Needs no plugin.",
              "tempo": 104,
              "inputs": {
                "keys": { "channels": 2, "connect": ["system:capture_1", "system:capture_2"] },
                "pedals": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": { "main": { "channels": 2, "connect": ["system:playback_1", "system:playback_2"] } },
              "nodes": [
                { "id": "rumble", "type": "filter", "from": "keys",
                  "parameters": { "shape": "highpass", "frequency": 28 } },
                { "id": "low", "type": "filter",
                  "parameters": { "shape": "lowshelf", "frequency": 160, "gain": 0 } },
                { "id": "high", "type": "filter",
                  "parameters": { "shape": "highshelf", "frequency": 5000, "gain": 0 } },
                { "id": "wheel", "type": "filter",
                  "parameters": { "shape": "lowpass", "frequency": 20000, "q": 0.9 } },
                { "id": "pad", "type": "freeze", "parameters": { "level": -6, "attack": 200, "release": 5 } },
                { "id": "throw", "type": "gain", "parameters": { "mute": true } },
                { "id": "echo", "type": "delay", "parameters": { "beats": 0.5, "feedback": 0.45 } },
                { "id": "blend", "type": "mixer", "from": ["pad", "echo"],
                  "parameters": { "gain": -2, "echo.gain": -8 } },
                { "id": "volume", "type": "gain" }
              ],
              "scenes": {
                "piano": { "low.gain": 0, "high.gain": 0, "throw.mute": true },
                "organ": { "low.gain": 2, "high.gain": 2, "throw.mute": true },
                "ambient": { "low.gain": -2, "high.gain": -2, "throw.mute": false }
              },
              "scene": "piano",
              "midi": [
                { "program": 0, "scene": "piano" },
                { "program": 1, "scene": "organ" },
                { "program": 2, "scene": "ambient" },
                { "key": "f1", "scene": "piano" },
                { "key": "f2", "scene": "organ" },
                { "key": "f3", "scene": "ambient" },
                { "cc": 1, "to": "wheel.frequency", "range": [20000, 300], "curve": "log" },
                { "cc": 81, "to": "throw.mute", "mode": "toggle" },
                { "cc": 82, "to": "pad.hold", "mode": "toggle" },
                { "cc": 11, "to": "volume.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
