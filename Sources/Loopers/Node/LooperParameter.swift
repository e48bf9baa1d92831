internal import Processing

extension LooperKernel {
    enum Parameter: Int32, EffectParameter {
        case record, overdub, play, stop, multiply, insert, undo, redo, clear, pedal, mute, reverse
        case speed, feedback, level, dry, save
    }
}

extension LooperKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .record:
            .trigger(
                "record", label: "Record",
                summary: "Starts a new loop, or ends the recording and plays.")
        case .overdub:
            .trigger(
                "overdub", label: "Overdub",
                summary: "Starts or ends an overdub; ends a recording and overdubs.")
        case .play:
            .trigger(
                "play", label: "Play",
                summary:
                    "Ends a recording, overdub, multiply or insert; starts a stopped loop at its beginning."
            )
        case .stop: .trigger("stop", label: "Stop", summary: "Stops the loop, which remains.")
        case .multiply:
            .trigger(
                "multiply", label: "Multiply",
                summary:
                    "Repeats the loop from its next start and overdubs over all repetitions, up to a start."
            )
        case .insert:
            .trigger(
                "insert", label: "Insert",
                summary: "Records at the end of the loop, which becomes longer.")
        case .undo:
            .trigger("undo", label: "Undo", summary: "Removes the last overdub or recording.")
        case .redo: .trigger("redo", label: "Redo", summary: "Brings back what `undo` removed.")
        case .clear: .trigger("clear", label: "Clear", summary: "Removes the loop.")
        case .pedal:
            .toggle(
                "pedal", label: "Pedal",
                summary:
                    "On while a pedal is pressed: a press records, plays, overdubs; a double press stops; holding it for a second clears."
            ).asTransport
        case .mute:
            .toggle("mute", label: "Mute", summary: "Whether the loop is silent; it continues.")
        case .reverse:
            .toggle("reverse", label: "Reverse", summary: "Whether the loop plays backwards.")
        case .speed:
            .choice(
                "speed", label: "Speed",
                summary: "How fast the loop plays; its pitch moves by an octave.",
                of: ["half", "normal", "double"], default: 1)
        case .feedback:
            ParameterDescription(
                "feedback", label: "Feedback",
                summary: "The share of the loop that remains under an overdub.", range: 0...1,
                default: 1)
        case .level:
            ParameterDescription(
                "level", label: "Level", summary: "The level of the loop; -120 dB is silence.",
                unit: .decibels, range: -120...24, default: 0)
        case .dry:
            ParameterDescription(
                "dry", label: "Dry",
                summary: "The level of the input in the output; -120 dB is silence.",
                unit: .decibels, range: -120...24, default: 0)
        case .save:
            .trigger(
                "save", label: "Save",
                summary: "Writes the loop to `file`, as soon as no overdub is running.")
        }
    }
}
