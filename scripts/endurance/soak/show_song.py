"""A song with every feature of the stage: fades, cues, kinds of presses, lists, messages, clocks, settings in scenes, a looper.

`tour.py` drives it. Its controls have other numbers than those of the random messages, except a few.
"""

NAME = "Show"
TEMPO = 97
SOUNDS = ["organ.flac", "doorbell.flac", "bells.wav", "thunder.flac"]


def nodes():
    return [
        {"id": "clean", "type": "gain", "from": "tone", "parameters": {"gain": -3}},
        {"id": "level", "type": "gain", "from": "rough", "parameters": {"gain": -12}},
        {"id": "shape", "type": "gain", "from": "rough"},
        {"id": "bent", "type": "gain", "from": "rough"},
        {"id": "late", "type": "pitch-shift", "from": "tone", "parameters": {"semitones": 3}},
        {"id": "blend", "type": "mixer", "from": ["tone", {"signal": "late", "align": False}]},
        {"id": "bed", "type": "player", "settings": {"file": "organ.flac", "channels": 2, "swell-out": 1},
         "parameters": {"loop": True, "playing": False, "gain": -20}},
        {"id": "short", "type": "player", "settings": {"file": "doorbell.flac", "channels": 2, "end": 0.4},
         "parameters": {"playing": False, "gain": -20}},
        {"id": "fx", "type": "player", "settings": {"files": ["doorbell.flac", "thunder.flac"], "channels": 2, "polyphony": 4},
         "parameters": {"gain": -20}},
        {"id": "pick", "type": "player", "settings": {"file": "doorbell.flac", "channels": 2}, "parameters": {"playing": False, "gain": -20}},
        {"id": "loop", "type": "looper", "from": "rough", "settings": {"maximum": 5}, "parameters": {"dry": -120, "feedback": 0.8}},
    ]


def outputs():
    return {
        "dry": {"from": "clean", "connect": ["ear:clean"]},
        "main": {"channels": 2, "from": "level", "connect": ["ear:rough"]},
        "shaped": {"channels": 2, "from": "shape"}, "bends": {"channels": 2, "from": "bent"}, "blended": {"from": "blend"},
        "beds": {"channels": 2, "from": "bed"}, "shorts": {"channels": 2, "from": "short"}, "effects": {"channels": 2, "from": "fx"},
        "picks": {"channels": 2, "from": "pick"}, "loops": {"channels": 2, "from": "loop"},
        "synth": {"kind": "midi", "clock": True, "connect": ["ear:lights"]},
    }


# The first four scenes are cues that no driver changes; the last one is for "wrap".
SCENES = {
    "dawn": {"number": 1, "text": "Dawn", "shape.gain": 0, "clean.gain": -3},
    "dusk": {"number": 2, "shape.gain": -24, "clean.gain": -9, "over": {"clean.gain": 0.5, "others": 1}, "curve": "smooth",
             "then": {"scene": "night", "after": 1.2}},
    "night": {"number": "2.5", "shape.gain": -12, "over": 0.4, "curve": "ease-out"},
    "ring": {"number": 3, "short.trigger": True, "then": {"scene": "rung", "at": "end of short"}},
    "rung": {"number": 4, "text": "The bell has ended"},
    "messages": {"send": [{"port": "synth", "program": 12, "bank": 128, "channel": 2}, {"port": "synth", "cc": 7, "value": 100},
                          {"port": "synth", "note": 36, "duration": 0.2}, {"port": "synth", "sysex": "F0 7E 7F 09 01 F7"}]},
    "bell": {"pick.file": "doorbell.flac"},
    "bells": {"pick.file": "bells.wav"},
    "by short": {}, "by long": {}, "by double": {}, "one": {}, "other": {},
    "soft": {"clean.gain": -10, "level.gain": -30},
    "loud": {"clean.gain": 0, "level.gain": -6},
    "last": {"level.gain": -12},
}
BINDINGS = [
    # Also moved by the random messages.
    {"cc": 1, "to": "clean.gain", "range": [-10, 0]},
    {"cc": 2, "to": "level.mute", "mode": "toggle"},
    {"cc": 3, "to": "level.gain", "taper": "audio"},
    {"bend": True, "to": "bent.gain", "range": [-12, 0]},
    {"pressure": True, "to": "bent.mix"},
    {"key-pressure": 40, "to": "level.mix"},
    # Only moved by the tour.
    {"cc": 20, "action": "go"}, {"cc": 21, "action": "back"},
    {"cc": 22, "to": "shape.mute", "mode": "toggle", "guard": 1.5},
    {"cc": 23, "to": "shape.gain", "taper": "audio"},
    {"cc": 24, "scene": "by short"},
    {"cc": 24, "scene": "by long", "press": "long", "hold": 0.3},
    {"cc": 24, "scene": "by double", "press": "double", "window": 0.25},
    {"cc": 25, "action": "fade-all"}, {"cc": 26, "action": "stop-all"},
    {"note": 30, "cycle": ["one", "other"]},
    {"note": 31, "to": "shape.gain", "values": [-3, -6, -9]},
    {"note": 32, "action": "next-scene", "wrap": True},
    {"note": 33, "cue": "fx:2"},
    {"note": 34, "to": [{"address": "bent.gain", "values": [-4, -8]}, {"address": "shape.gain", "values": [-15, -18]}]},
    {"note": 35, "action": "save"}, {"note": 36, "action": "undo"}, {"note": 37, "action": "compare"},
    {"key": "g", "action": "go"}, {"key": "f1", "to": "shape.mute", "mode": "toggle"},
]


def song():
    """Returns the song, with the connections of the soak."""
    return {"version": 1, "name": NAME, "tail": 0.5,
            "inputs": {"tone": {"connect": ["partner:sine"]}, "rough": {"channels": 2, "connect": ["partner:noise"]},
                       "pedals": {"kind": "midi", "connect": ["partner:notes"]},
                       "ticks": {"kind": "midi", "clock": True, "connect": ["partner:clock"]}},
            "outputs": outputs(), "nodes": nodes(), "scenes": SCENES, "midi": BINDINGS,
            "send": [{"port": "synth", "cc": 10, "value": 64}]}


def entry(file):
    """Returns its entry in a setlist."""
    return {"name": NAME, "pipeline": file, "scene": "dawn", "gain": -1, "tempo": TEMPO, "notes": "Every feature", "color": "#ff8800",
            "send": [{"port": "synth", "program": 99, "channel": 3}]}
