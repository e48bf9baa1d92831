/// An input or an output during the check.
struct SignalDraft {
    let name: String
    /// The offset of its name in bytes; the start of the document for a default signal.
    let offset: Int
    /// The object of the signal; `nil` for a default signal.
    let element: JSONElement?
    var kind: Pipeline.SignalKind = .audio
    /// The number of channels, 0 for MIDI; `nil` if an error hides it.
    var channels: Int?
    var connect: [Pipeline.ConnectionRule] = []
    var hasLimiter = true
    /// Whether a MIDI input is followed as a clock, or a MIDI output sends one.
    var hasClock = false
    /// The stated latency of an audio signal, in ms.
    var latencyMilliseconds: Double?

    /// The signal as an input of a pipeline.
    var input: Pipeline.Input {
        var input = Pipeline.Input(
            name: name, channels: channels ?? 0, kind: kind, connect: connect, hasClock: hasClock)
        input.latencyMilliseconds = latencyMilliseconds
        return input
    }

    /// Returns the default signal of a file that names none.
    static func standard(_ name: String, offset: Int) -> SignalDraft {
        SignalDraft(name: name, offset: offset, element: nil, channels: 2)
    }
}
