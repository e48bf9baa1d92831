extension StarterTemplate {
    /// A play as a list of cues.
    static let theatre = StarterTemplate(
        name: "theatre", summary: "a play as a list of cues",
        places: [
            "actor": "the actor's microphone", "announcer": "the announcer's microphone",
            "pedals": "the switches for the cues (MIDI)",
            "main": "the speakers of the audience", "stage": "the speaker on stage",
        ],
        text: #"""
            {
              "version": 1,
              "name": "Theatre",
              "description": "A play as a list of cues: music, rain, thunder and a doorbell \#
            from files, an actor with a microphone, and an announcer. Each scene is a cue. \#
            The space key or switch 25 calls the next cue, backspace or switch 26 the \#
            previous one; the fades take their own time. The notes 48 and 50 play thunder \#
            and doorbell at any time. The slider on controller 7 is the level of everything, \#
            down to silence. The output stage lets the actors hear the sounds. Replace the \#
            files in the folder sounds by those of your play, rename the scenes, change their \#
            texts, and add a scene for each cue. The page docs/tutorials/theatre-cues.md \#
            explains players and cues. Needs no plugin.",
              "inputs": {
                "actor": { "connect": ["system:capture_1"] },
                "announcer": { "connect": ["system:capture_2"] },
                "pedals": { "kind": "midi", "connect": ["/(a2j|Midi-Bridge):.*capture.*|system:midi_capture_.*/"] }
              },
              "outputs": {
                "main": { "channels": 2, "from": "level", "connect": ["system:playback_1", "system:playback_2"] },
                "stage": { "from": "stage-level", "connect": ["system:playback_3"] }
              },
              "nodes": [
                { "id": "music", "type": "player",
                  "settings": { "file": "sounds/music.flac", "crossfade": 0.5, "swell": 1, "swell-out": 4 },
                  "parameters": { "loop": true, "playing": false } },
                { "id": "rain", "type": "player",
                  "settings": { "file": "sounds/rain.flac", "crossfade": 0.5, "swell": 2, "swell-out": 3 },
                  "parameters": { "loop": true, "playing": false } },
                { "id": "thunder", "type": "player", "settings": { "file": "sounds/thunder.flac", "polyphony": 4 } },
                { "id": "bell", "type": "player", "settings": { "file": "sounds/doorbell.flac", "polyphony": 4 } },
                { "id": "sounds", "type": "mixer", "from": ["music", "rain", "thunder", "bell"],
                  "settings": { "channels": 2 },
                  "parameters": { "music.gain": -6, "rain.gain": -12, "thunder.gain": -3, "bell.gain": -9, "bell.pan": 0.8 } },
                { "id": "actor-cut", "type": "filter", "from": "actor",
                  "parameters": { "shape": "highpass", "frequency": 110, "order": 4 } },
                { "id": "guard", "type": "feedback-guard" },
                { "id": "actor-level", "type": "gain", "parameters": { "mute": true } },
                { "id": "throw", "type": "gain", "parameters": { "mute": true } },
                { "id": "cave", "type": "delay", "parameters": { "time": 0.32, "feedback": 0.55 } },
                { "id": "announcer-cut", "type": "filter", "from": "announcer",
                  "parameters": { "shape": "highpass", "frequency": 120, "order": 4 } },
                { "id": "announcer-level", "type": "gain", "parameters": { "mute": true } },
                { "id": "desk", "type": "mixer", "from": ["sounds", "actor-level", "cave", "announcer-level"],
                  "settings": { "channels": 2 },
                  "parameters": { "actor-level.gain": 3, "cave.gain": -5, "announcer-level.gain": 3 } },
                { "id": "level", "type": "gain" },
                { "id": "stage-mix", "type": "mixer", "from": ["sounds:1", "sounds:2", "cave"], "settings": { "channels": 1 },
                  "parameters": { "gain": -6, "sounds:1.gain": -3, "sounds:2.gain": -3 } },
                { "id": "stage-level", "type": "gain" }
              ],
              "scenes": {
                "doors open": { "number": 1, "text": "Music while the audience comes in",
                                "music.playing": true, "sounds.music.gain": -6, "rain.playing": false,
                                "announcer-level.mute": true, "actor-level.mute": true, "throw.mute": true },
                "welcome": { "number": 2, "text": "Welcome; the music goes down",
                             "sounds.music.gain": -24, "announcer-level.mute": false, "over": 2 },
                "play begins": { "number": 3, "text": "The music ends, the actor speaks",
                                 "music.playing": false, "announcer-level.mute": true, "actor-level.mute": false },
                "storm": { "number": 4, "text": "Rain and thunder", "rain.playing": true, "thunder.trigger": true,
                           "actor-level.mute": false },
                "doorbell": { "number": 5, "text": "The doorbell; the rain goes on", "bell.trigger": true,
                              "actor-level.mute": false },
                "in the cave": { "number": 6, "text": "No more rain; the voice echoes", "rain.playing": false,
                                 "actor-level.mute": false, "throw.mute": false },
                "out of the cave": { "number": 7, "text": "No more echo", "actor-level.mute": false, "throw.mute": true },
                "applause": { "number": 8, "text": "Music for the applause",
                              "music.playing": true, "sounds.music.gain": -3, "rain.playing": false,
                              "actor-level.mute": true, "throw.mute": true, "over": 1 }
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
                { "program": 3, "scene": "storm" },
                { "program": 4, "scene": "doorbell" },
                { "program": 5, "scene": "in the cave" },
                { "program": 6, "scene": "out of the cave" },
                { "program": 7, "scene": "applause" },
                { "note": 48, "cue": "thunder" },
                { "note": 50, "cue": "bell" },
                { "cc": 7, "to": "level.gain", "taper": "audio", "takeover": "pickup" }
              ]
            }

            """#, sounds: [.music, .rain, .thunder, .doorbell])
}
