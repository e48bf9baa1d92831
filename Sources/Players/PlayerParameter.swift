internal import Processing

extension PlayerKernel {
    enum Parameter: Int32, EffectParameter {
        case gain, rate, semitones, playing, loop, position, trigger, next, previous, item
    }
}

extension PlayerKernel.Parameter: DescribedParameter {
    var description: ParameterDescription {
        switch self {
        case .gain:
            ParameterDescription(
                "gain", label: "Gain", summary: "The level; -120 dB is silence.", unit: .decibels,
                range: -120...24, default: 0)
        case .rate:
            ParameterDescription(
                "rate", label: "Rate",
                summary: "The playback speed: 0.5 is half as fast; the pitch stays the same.",
                unit: .ratio, range: 0.25...4, default: 1)
        case .semitones:
            ParameterDescription(
                "semitones", label: "Semitones",
                summary: "How far the pitch moves; the speed stays the same.", unit: .semitones,
                range: -24...24, default: 0)
        case .playing:
            .toggle(
                "playing", label: "Playing",
                summary: "Plays; when switched off, fades out and keeps the position.",
                default: true
            ).asTransport
        case .loop:
            .toggle(
                "loop", label: "Loop",
                summary: "Repeats at the end: one file, or a list as a whole.")
        case .position:
            ParameterDescription(
                "position", label: "Position",
                summary: "Seeks to this time in the file; also the start position at load.",
                unit: .seconds, range: 0...86_400, default: 0
            ).asTransport
        case .trigger:
            .trigger(
                "trigger", label: "Trigger",
                summary: "Starts the file at its beginning, even if `playing` is off.")
        case .next:
            .trigger("next", label: "Next", summary: "Goes to the next file.")
        case .previous:
            .trigger("previous", label: "Previous", summary: "Goes to the previous file.")
        case .item:
            ParameterDescription(
                "item", label: "Item",
                summary: "Goes to this file of the list; the first is 1, and 0 changes nothing.",
                kind: .integer, range: 0...10_000, default: 0
            ).asTransport
        }
    }
}
