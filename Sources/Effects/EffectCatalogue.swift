public import Processing

/// The built-in effects.
public enum EffectCatalogue {
    /// All built-in effects, in the order in which lists show them.
    public static let effects: [Effect] = [
        Gain.effect, Mixer.effect, PitchShift.effect, Tune.effect, Harmony.effect,
        FrequencyShift.effect, TimeStretch.effect, Freeze.effect, Filter.effect,
        FeedbackGuard.effect, Delay.effect,
        Meter.effect, Tuner.effect,
    ]
}
