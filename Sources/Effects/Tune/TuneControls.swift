internal import CRealtime
internal import Processing
internal import Realtime

/// The parameters of `tune`.
struct TuneControls: BitwiseCopyable {
    enum Parameter: Int32, EffectParameter {
        case key, scale, amount, speed, vibrato, humanise, reference

        var range: ClosedRange<Float> {
            switch self {
            case .key: 0...11
            case .scale: 0...Float(MusicalScale.allCases.count - 1)
            case .amount, .humanise: 0...1
            case .speed: 0...500
            case .vibrato: 0...2
            case .reference: 400...480
            }
        }

        var defaultValue: Float {
            switch self {
            case .key, .scale, .humanise: 0
            case .amount, .vibrato: 1
            case .speed: 10
            case .reference: 440
            }
        }
    }

    /// The notes that the voice may have while no MIDI note is held.
    private(set) var notes: NoteSet
    /// Whether the notes come from the setting, and not from the key.
    private let isFixed: Bool
    private var key = 0
    private var scale = MusicalScale.chromatic
    private(set) var amount = 1.0
    /// The time constant of the correction in seconds; 0 corrects at once.
    private(set) var speedSeconds = 0.0
    private(set) var vibrato = 1.0
    private(set) var humanise = 0.0
    /// The frequency of the A above middle C, in Hz.
    private(set) var reference = 440.0

    /// Creates controls from the parameters' values; `notes` replace the key's notes.
    init(notes: NoteSet?, values: (Parameter) -> Float) {
        self.notes = notes ?? .all
        isFixed = notes != nil
        for parameter in Parameter.allCases { set(parameter, to: values(parameter)) }
    }

    /// Moves a parameter to a value in its range.
    @_noLocks
    mutating func set(_ parameter: Parameter, to value: Float) {
        guard value.isFinite else { return }
        let number = Double(value)
        switch parameter {
        case .key: key = min(max(Int(number + 0.5), 0), 11)
        case .scale: scale = MusicalScale(rawValue: Int(number + 0.5)) ?? scale
        case .amount: amount = min(max(number, 0), 1)
        case .speed: speedSeconds = max(number, 0) / 1000
        case .vibrato: vibrato = min(max(number, 0), 2)
        case .humanise: humanise = min(max(number, 0), 1)
        case .reference: reference = min(max(number, 400), 480)
        }
        if !isFixed { notes = NoteSet(scale, key: key) }
    }
}
