extension StarterTemplate {
    /// An electric or acoustic guitar.
    static let guitar = StarterTemplate(
        name: "guitar", summary: "an electric or acoustic guitar",
        places: [
            "guitar": "the guitar", "pedals": "the foot switches",
            "main": "the speakers or the amplifier",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Guitar",
              "description": "A guitar that goes straight to the speakers or into an \#
            amplifier: tuner, boost, the tone of a cabinet, a pad that holds a chord, and an \#
            echo. The scene clean is dry, solo adds boost and echo, ambient is soft with a \#
            long echo. The keys F1 to F3 call the scenes. Switch 80 turns the boost on and \#
            off, 81 the echo; 82 holds the chord of this moment, and lets it go at the next \#
            press; 83 mutes the sound so that you can tune. The pedal on controller 11 is \#
            the volume, down to silence. If you play into an amplifier, bypass cabinet. The \#
            page docs/tutorials/guitar-rig.md adds an amplifier. Needs no plugin.",
              "tempo": 112,
              "inputs": {
                "guitar": { "connect": ["system:capture_1"] },
                "pedals": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": { "main": { "channels": 2, "connect": ["system:playback_1", "system:playback_2"] } },
              "nodes": [
                { "id": "tuner", "type": "tuner", "from": "guitar" },
                { "id": "rumble", "type": "filter", "parameters": { "shape": "highpass", "frequency": 70 } },
                { "id": "boost", "type": "gain", "parameters": { "gain": 6 }, "bypass": true },
                { "id": "body", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 400, "gain": -2, "q": 0.8 } },
                { "id": "bite", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 2600, "gain": 3, "q": 0.9 } },
                { "id": "cabinet", "type": "filter",
                  "parameters": { "shape": "lowpass", "frequency": 5500, "order": 3 } },
                { "id": "pad", "type": "freeze", "parameters": { "level": -6, "release": 4 } },
                { "id": "throw", "type": "gain", "parameters": { "mute": true } },
                { "id": "echo", "type": "delay", "parameters": { "beats": 0.75, "feedback": 0.35 } },
                { "id": "blend", "type": "mixer", "from": ["pad", "echo"], "settings": { "channels": 2 },
                  "parameters": { "pad.gain": 3, "echo.gain": -6 } },
                { "id": "level", "type": "gain" },
                { "id": "volume", "type": "gain" }
              ],
              "scenes": {
                "clean": { "boost.bypass": true, "throw.mute": true, "echo.feedback": 0.35, "level.gain": 0 },
                "solo": { "boost.bypass": false, "throw.mute": false, "echo.feedback": 0.35, "level.gain": -2 },
                "ambient": { "boost.bypass": true, "throw.mute": false, "echo.feedback": 0.7, "level.gain": -2 }
              },
              "scene": "clean",
              "midi": [
                { "program": 0, "scene": "clean" },
                { "program": 1, "scene": "solo" },
                { "program": 2, "scene": "ambient" },
                { "key": "f1", "scene": "clean" },
                { "key": "f2", "scene": "solo" },
                { "key": "f3", "scene": "ambient" },
                { "cc": 80, "to": "boost.bypass", "mode": "toggle" },
                { "cc": 81, "to": "throw.mute", "mode": "toggle" },
                { "cc": 82, "to": "pad.hold", "mode": "toggle" },
                { "cc": 83, "to": "volume.mute", "mode": "toggle" },
                { "cc": 11, "to": "volume.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
