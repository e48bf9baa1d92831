extension StarterTemplate {
    /// A bass.
    static let bass = StarterTemplate(
        name: "bass", summary: "a bass",
        places: [
            "bass": "the bass", "pedals": "the foot switches",
            "main": "the speakers or the amplifier",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Bass",
              "description": "A bass with tuner, tone and an octave below. The bass itself \#
            has no latency; the octave follows 12 ms later. The scene fingers is round, pick \#
            has more attack, octave adds the octave below. The keys F1 to F3 call the \#
            scenes. Switch 80 turns the octave on and off, 83 mutes the sound so that you \#
            can tune. The pedal on controller 11 is the volume, down to silence. Change \#
            low.gain and attack.gain for the tone, and blend.round.gain for the amount of \#
            the octave. Needs no plugin.",
              "inputs": {
                "bass": { "connect": ["system:capture_1"] },
                "pedals": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": { "main": { "channels": 2, "connect": ["system:playback_1", "system:playback_2"] } },
              "nodes": [
                { "id": "tuner", "type": "tuner", "from": "bass" },
                { "id": "rumble", "type": "filter",
                  "parameters": { "shape": "highpass", "frequency": 28, "order": 4 } },
                { "id": "down", "type": "pitch-shift", "settings": { "quality": "fast" },
                  "parameters": { "semitones": -12 } },
                { "id": "octave", "type": "gain", "parameters": { "mute": true } },
                { "id": "round", "type": "filter",
                  "parameters": { "shape": "lowpass", "frequency": 400, "order": 3 } },
                { "id": "blend", "type": "mixer", "from": ["rumble", { "signal": "round", "align": false }],
                  "settings": { "channels": 1 }, "parameters": { "round.gain": -3 } },
                { "id": "low", "type": "filter",
                  "parameters": { "shape": "lowshelf", "frequency": 110, "gain": 2 } },
                { "id": "attack", "type": "filter",
                  "parameters": { "shape": "peak", "frequency": 1800, "gain": 0, "q": 0.8 } },
                { "id": "level", "type": "gain" },
                { "id": "volume", "type": "gain" }
              ],
              "scenes": {
                "fingers": { "octave.mute": true, "low.gain": 2, "attack.gain": 0, "level.gain": 0 },
                "pick": { "octave.mute": true, "low.gain": 0, "attack.gain": 4, "level.gain": -1 },
                "octave": { "octave.mute": false, "low.gain": 0, "attack.gain": 0, "level.gain": -2 }
              },
              "scene": "fingers",
              "midi": [
                { "program": 0, "scene": "fingers" },
                { "program": 1, "scene": "pick" },
                { "program": 2, "scene": "octave" },
                { "key": "f1", "scene": "fingers" },
                { "key": "f2", "scene": "pick" },
                { "key": "f3", "scene": "octave" },
                { "cc": 80, "to": "octave.mute", "mode": "toggle" },
                { "cc": 83, "to": "volume.mute", "mode": "toggle" },
                { "cc": 11, "to": "volume.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
