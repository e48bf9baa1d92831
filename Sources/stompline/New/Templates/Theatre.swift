extension StarterTemplate {
    /// A play as a list of cues.
    static let theatre = StarterTemplate(
        name: "theatre", summary: "a play as a list of cues",
        places: [
            "sounds": "the computer with the sounds", "actor": "the actor's microphone",
            "announcer": "the announcer's microphone", "pedals": "the switches for the cues (MIDI)",
            "main": "the speakers of the audience", "stage": "the speaker on stage",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Theatre",
              "description": "A play as a list of cues: sounds from a computer, an actor \#
            with a microphone, and an announcer. Each scene is a cue. The space key or \#
            switch 25 calls the next cue, backspace or switch 26 the previous one; the fades \#
            take their own time. The slider on controller 7 is the level of everything, down \#
            to silence. The output stage lets the actors hear the sounds. Rename the scenes, \#
            change their texts, and add a scene for each cue of your play. The page \#
            docs/tutorials/theatre-cues.md adds sound files that the cues play. Needs no \#
            plugin.",
              "inputs": {
                "sounds": { "channels": 2, "connect": ["system:capture_1", "system:capture_2"] },
                "actor": { "connect": ["system:capture_3"] },
                "announcer": { "connect": ["system:capture_4"] },
                "pedals": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": {
                "main": { "channels": 2, "from": "level", "connect": ["system:playback_1", "system:playback_2"] },
                "stage": { "from": "stage-level", "connect": ["system:playback_3"] }
              },
              "nodes": [
                { "id": "music", "type": "gain", "from": "sounds" },
                { "id": "actor-cut", "type": "filter", "from": "actor",
                  "parameters": { "shape": "highpass", "frequency": 110, "order": 4 } },
                { "id": "guard", "type": "feedback-guard" },
                { "id": "actor-level", "type": "gain", "parameters": { "mute": true } },
                { "id": "throw", "type": "gain", "parameters": { "mute": true } },
                { "id": "cave", "type": "delay", "parameters": { "time": 0.32, "feedback": 0.55 } },
                { "id": "announcer-cut", "type": "filter", "from": "announcer",
                  "parameters": { "shape": "highpass", "frequency": 120, "order": 4 } },
                { "id": "announcer-level", "type": "gain", "parameters": { "mute": true } },
                { "id": "desk", "type": "mixer", "from": ["music", "actor-level", "cave", "announcer-level"],
                  "settings": { "channels": 2 },
                  "parameters": { "actor-level.gain": 3, "cave.gain": -5, "announcer-level.gain": 3 } },
                { "id": "level", "type": "gain" },
                { "id": "stage-mix", "type": "mixer", "from": ["music:1", "music:2", "cave"], "settings": { "channels": 1 },
                  "parameters": { "gain": -6, "music:1.gain": -3, "music:2.gain": -3 } },
                { "id": "stage-level", "type": "gain" }
              ],
              "scenes": {
                "doors open": { "number": 1, "text": "Music while the audience comes in",
                                "music.gain": -6, "announcer-level.mute": true, "actor-level.mute": true, "throw.mute": true },
                "welcome": { "number": 2, "text": "Welcome; the music goes down",
                             "music.gain": -24, "announcer-level.mute": false, "over": 2 },
                "play begins": { "number": 3, "text": "The music ends, the actor speaks",
                                 "music.gain": -120, "announcer-level.mute": true, "actor-level.mute": false,
                                 "over": { "music.gain": 5 } },
                "in the cave": { "number": 4, "text": "The voice echoes", "throw.mute": false },
                "out of the cave": { "number": 5, "text": "No more echo", "throw.mute": true },
                "applause": { "number": 6, "text": "Music for the applause",
                              "music.gain": -3, "actor-level.mute": true, "throw.mute": true, "over": 1 }
              },
              "scene": "doors open",
              "midi": [
                { "key": "space", "action": "go", "guard": 0.3 },
                { "key": "backspace", "action": "back", "guard": 0.3 },
                { "cc": 25, "action": "go", "guard": 0.3 },
                { "cc": 26, "action": "back", "guard": 0.3 },
                { "program": 0, "scene": "doors open" },
                { "program": 1, "scene": "welcome" },
                { "program": 2, "scene": "play begins" },
                { "program": 3, "scene": "in the cave" },
                { "program": 4, "scene": "out of the cave" },
                { "program": 5, "scene": "applause" },
                { "cc": 7, "to": "level.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#)
}
