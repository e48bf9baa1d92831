public import Processing

/// The effects that are built in.
public enum EffectCatalogue {
    /// All of them, in the order that lists show them in.
    public static let effects: [Effect] = [
        Gain.effect, Mixer.effect, PitchShift.effect, FrequencyShift.effect,
        TimeStretch.effect, Filter.effect, Delay.effect, Meter.effect,
        Tuner.effect,
    ]
}
