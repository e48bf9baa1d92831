internal import Processing

/// Named values of a plugin's parameters, which hosts list.
struct BundledPreset {
    /// The name for people.
    let name: String
    /// The values by the parameters' names; the other parameters have their defaults.
    let values: KeyValuePairs<String, Float>

    private init(_ name: String, _ values: KeyValuePairs<String, Float>) {
        self.name = name
        self.values = values
    }

    /// Returns the presets of a plugin.
    static func all(of plugin: BundledPlugin) -> [BundledPreset] {
        switch (plugin.description.name, plugin.settings["mode"]?.text) {
        case ("tune", _): tune
        case ("harmony", "interval"): intervals
        case ("harmony", "midi"): chords
        case ("harmony", _): keys
        case ("delay", _): delay
        case ("mixer", _): channelStrip
        case ("freeze", _): freeze
        case ("filter", _): filter
        case ("time-stretch", _): timeStretch
        case ("tuner", _): tuner
        case ("feedback-guard", _): feedbackGuard
        case ("frequency-shift", _): frequencyShift
        case ("pitch-shift", "voice"): voices
        case ("pitch-shift", _): transpositions
        default: []
        }
    }

    private static let tune = [
        BundledPreset(
            "Gentle", ["scale": 1, "amount": 0.7, "speed": 80, "humanise": 0.6]),
        BundledPreset("Tight", ["scale": 1, "speed": 15]),
        BundledPreset("Hard", ["scale": 1, "speed": 0, "vibrato": 0]),
    ]
    /// Intervals count from an octave below: 7 is the unison, 14 an octave above.
    private static let keys = [
        BundledPreset(
            "Third above", ["interval-1": 9, "level-2": -120, "level-3": -120, "level-4": -120]),
        BundledPreset(
            "Third above, sixth below",
            ["interval-1": 9, "interval-2": 2, "level-3": -120, "level-4": -120]),
        BundledPreset(
            "Choir",
            [
                "interval-1": 9, "interval-2": 5, "interval-3": 11, "interval-4": 0,
                "variation": 0.8,
                "level-1": -6, "level-2": -6, "level-3": -9, "level-4": -9,
            ]),
    ]
    private static let intervals = [
        BundledPreset(
            "Double",
            [
                "semitones-1": 0, "semitones-2": 0, "variation": 0.7, "level-3": -120,
                "level-4": -120,
            ]),
        BundledPreset(
            "Octaves",
            ["semitones-1": -12, "semitones-2": 12, "level-3": -120, "level-4": -120]),
        BundledPreset(
            "Power chord",
            [
                "semitones-1": -12, "semitones-2": -5, "level-3": -120, "level-4": -120,
                "pan-1": 0, "pan-2": 0,
            ]),
    ]
    private static let chords = [
        BundledPreset("Choir", ["variation": 0.8, "unpitched": -12]),
        BundledPreset("Exact chord", ["tune": 1, "variation": 0]),
        BundledPreset("Chord only", ["lead": -120, "tune": 1, "unpitched": 0]),
    ]
    private static let delay = [
        BundledPreset("Slap", ["time": 0.11, "feedback": 0, "mix": 0.3]),
        BundledPreset("Quarters", ["beats": 1, "feedback": 0.35, "mix": 0.3]),
        BundledPreset("Dotted eighths", ["beats": 0.75, "feedback": 0.4, "mix": 0.35]),
        BundledPreset("Echoes only", ["beats": 0.5, "feedback": 0.5, "mix": 1]),
    ]
    private static let channelStrip = [
        BundledPreset("Left", ["pan": -1]), BundledPreset("Right", ["pan": 1]),
        BundledPreset("Quieter", ["gain": -6]),
    ]
    private static let freeze = [
        BundledPreset("Pad", ["level": -4, "attack": 200, "release": 4]),
        BundledPreset(
            "Shimmer", ["level": -6, "attack": 400, "release": 8, "shimmer": 0.6]),
        BundledPreset("Pedal only", ["dry": -120, "attack": 20, "release": 0.5]),
    ]
    /// The shapes are numbered in the order of the list, from the high-pass, 0, on.
    private static let filter = [
        BundledPreset("Low cut", ["shape": 0, "frequency": 80, "order": 4]),
        BundledPreset("Telephone", ["shape": 2, "frequency": 1100, "q": 0.6]),
        BundledPreset("Mains hum", ["shape": 3, "frequency": 50, "q": 10]),
        BundledPreset("Presence", ["shape": 4, "frequency": 3500, "gain": 4, "q": 1]),
    ]
    private static let timeStretch = [
        BundledPreset("Half speed", ["rate": 0.5]), BundledPreset("Still", ["rate": 0]),
        BundledPreset("Half speed and octave down", ["rate": 0.5, "semitones": -12]),
    ]
    private static let tuner = [
        BundledPreset("Concert pitch", ["reference": 440]),
        BundledPreset("Baroque pitch", ["reference": 415]),
    ]
    private static let feedbackGuard = [
        BundledPreset("Sound check", ["sensitivity": 0.8, "release": 600]),
        BundledPreset("Speech", ["sensitivity": 0.7, "width": 0.2, "lowest": 100]),
        BundledPreset("Music", ["sensitivity": 0.3, "depth": 12, "release": 20]),
    ]
    private static let frequencyShift = [
        BundledPreset("Slow beating", ["shift": 0.7]),
        BundledPreset("Robot", ["shift": 120]),
        BundledPreset("Rising spirals", ["shift": 6, "feedback": 0.85]),
    ]
    private static let transpositions = [
        BundledPreset("Half step down", ["semitones": -1]),
        BundledPreset("Whole step down", ["semitones": -2]),
        BundledPreset("Octave down", ["semitones": -12]),
        BundledPreset("Octave up", ["semitones": 12]),
    ]
    private static let voices = [
        BundledPreset("Man to woman", ["semitones": 12, "formant-semitones": 2.5]),
        BundledPreset("Woman to man", ["semitones": -12, "formant-semitones": -2.5]),
        BundledPreset("Giant", ["semitones": -5, "formant-semitones": -5]),
    ]
}

extension BundledPlugin {
    /// The statements about the presets, for the list of plugins and for their own file.
    var presets: (entries: [String], contents: [String]) {
        let presets = BundledPreset.all(of: self)
        return (presets.map(entry), presets.map(contents))
    }

    private func uri(of preset: BundledPreset) -> String {
        let name = preset.name.lowercased().filter { $0 != "," }.map { $0 == " " ? "-" : $0 }
        return "\(uri)#\(String(name))"
    }

    private func entry(_ preset: BundledPreset) -> String {
        """
        <\(uri(of: preset))>
            a pset:Preset ;
            lv2:appliesTo <\(uri)> ;
            rdfs:label \(quoted(preset.name)) ;
            rdfs:seeAlso <presets.ttl> .

        """
    }

    private func contents(_ preset: BundledPreset) -> String {
        for (name, value) in preset.values {
            let parameter = description.parameters.first { $0.name == name }
            precondition(parameter?.range.contains(value) == true, "\(uri): \(name) \(value)")
        }
        let ports = description.parameters.filter { !$0.isTrigger }.map { parameter in
            let value =
                preset.values.first { $0.key == parameter.name }?.value ?? parameter.defaultValue
            return """
                [
                        lv2:symbol \(quoted(portSymbol(parameter.name))) ;
                        pset:value \(value) ;
                    ]
                """
        }
        return """
            <\(uri(of: preset))>
                a pset:Preset ;
                lv2:appliesTo <\(uri)> ;
                rdfs:label \(quoted(preset.name)) ;
                lv2:port \(ports.joined(separator: " , ")) .

            """
    }
}
