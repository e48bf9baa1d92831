internal import Processing

extension HarmonyControls.Parameter: DescribedParameter {
    /// The names of the intervals, from an octave below to an octave above.
    private static let intervals = [
        "octave-below", "seventh-below", "sixth-below", "fifth-below", "fourth-below",
        "third-below", "second-below", "unison", "second-above", "third-above", "fourth-above",
        "fifth-above", "sixth-above", "seventh-above", "octave-above",
    ]

    var description: ParameterDescription {
        if let shared { return described(shared) }
        var description = described(part, ending: "\(voice + 1)")
        description.group = "Voice \(voice + 1)"
        return description
    }

    private func described(_ shared: HarmonyControls.SharedParameter) -> ParameterDescription {
        switch shared {
        case .key:
            choice("key", "Key", "The root of the scale.", NoteName.all)
        case .scale:
            choice(
                "scale", "Scale", "The scale of the voices in `key` mode.",
                MusicalScale.allCases.map(\.name))
        case .lead:
            number(
                "lead", "Lead",
                "The level of the input, in the middle; -120 dB is silence.", .decibels)
        case .unpitched:
            number(
                "unpitched", "Unpitched",
                "The level of consonants and breath in addition to those of the lead, in the middle; -120 dB is silence.",
                .decibels)
        case .tune:
            number(
                "tune", "Tune",
                "How exactly the voices hit their notes: 0 follows each deviation of the input, 1 none."
            )
        case .variation:
            number(
                "variation", "Variation",
                "How much the voices differ from each other in pitch, level and time, like people.")
        case .crossing:
            .toggle(
                "crossing", label: "Crossing",
                summary:
                    "In `midi` mode: whether each new note goes to a free voice. Otherwise a higher voice always has the higher note."
            )
        case .reference:
            number("reference", "Reference", "The pitch of the A above middle C.", .hertz)
        }
    }

    private func described(_ part: HarmonyControls.VoiceParameter, ending: String)
        -> ParameterDescription
    {
        let (name, label) = ("-" + ending, " " + ending)
        return switch part {
        case .interval:
            choice(
                "interval" + name, "Interval" + label,
                "In `key` mode: the interval from the input, in steps of the scale.",
                Self.intervals)
        case .semitones:
            number(
                "semitones" + name, "Semitones" + label,
                "In `interval` mode: the distance from the input.", .semitones)
        case .level:
            number(
                "level" + name, "Level" + label,
                "The level of the voice; -120 dB is silence.", .decibels)
        case .pan:
            number(
                "pan" + name, "Pan" + label,
                "The position of the voice, from left (-1) to right (1).")
        case .formant:
            number(
                "formant" + name, "Formants" + label,
                "How far the formants move: up for a smaller throat.", .semitones)
        case .delay:
            number(
                "delay" + name, "Delay" + label, "How much later than the input the voice is.",
                .milliseconds)
        }
    }

    private func number(
        _ name: String, _ label: String, _ summary: String, _ unit: Unit = .none
    ) -> ParameterDescription {
        ParameterDescription(
            name, label: label, summary: summary, unit: unit, range: range, default: defaultValue)
    }

    private func choice(_ name: String, _ label: String, _ summary: String, _ names: [String])
        -> ParameterDescription
    {
        .choice(name, label: label, summary: summary, of: names, default: Int(defaultValue))
    }
}
