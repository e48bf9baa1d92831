internal import CRealtime
internal import Processing
internal import Realtime

/// What determines the notes of a harmony.
enum HarmonyMode: String, CaseIterable, Sendable {
    /// Steps of a scale above or below the voice.
    case key
    /// Fixed intervals.
    case interval
    /// The notes that are held on a MIDI keyboard.
    case midi
}

/// The values of the parameters of `harmony`.
struct HarmonyControls: ~Copyable {
    /// A parameter of all voices together, or of one voice.
    struct Parameter: EffectParameter {
        let rawValue: Int32

        static let allCases: [Parameter] =
            SharedParameter.allCases.map { Parameter($0) }
            + (0..<voiceLimit).flatMap { voice in
                VoiceParameter.allCases.map { Parameter($0, voice: voice) }
            }

        init?(rawValue: Int32) {
            guard rawValue >= 0, rawValue < Parameter.count else { return nil }
            self.rawValue = rawValue
        }

        @_noLocks
        init(_ shared: SharedParameter) { rawValue = shared.rawValue }

        @_noLocks
        init(_ part: VoiceParameter, voice: Int) {
            rawValue =
                SharedParameter.count + Int32(truncatingIfNeeded: voice) * VoiceParameter.count
                + part.rawValue
        }

        static var count: Int32 {
            @_noLocks get {
                SharedParameter.count + Int32(truncatingIfNeeded: HarmonyControls.voiceLimit)
                    * VoiceParameter.count
            }
        }
    }

    /// A parameter of all voices together.
    enum SharedParameter: Int32, CaseIterable {
        case key, scale, lead, unpitched, tune, variation, crossing, reference

        static var count: Int32 { @_noLocks get { 8 } }
    }

    /// A parameter that each voice has.
    enum VoiceParameter: Int32, CaseIterable {
        case interval, semitones, level, pan, formant, delay

        static var count: Int32 { @_noLocks get { 6 } }
    }

    /// The largest number of voices.
    static var voiceLimit: Int { @_noLocks get { 4 } }
    /// The longest delay of a voice, in ms.
    static var longestDelay: Float { @_noLocks get { 100 } }
    /// The level that is silence, in dB.
    static var silentDecibels: Float { @_noLocks get { -120 } }

    private let values: Buffer<Float>
    /// The notes of the key.
    private(set) var notes = NoteSet.all

    /// Creates controls from the parameters' values.
    init(values: (Parameter) -> Float) {
        self.values = Buffer(Parameter.allCases.map(values))
        chooseNotes()
    }

    @_noLocks
    subscript(shared: SharedParameter) -> Double { Double(values[Int(shared.rawValue)]) }

    @_noLocks
    subscript(part: VoiceParameter, voice: Int) -> Double {
        Double(values[Int(Parameter(part, voice: voice).rawValue)])
    }

    /// Moves a parameter to a value in its range.
    @_noLocks
    mutating func set(_ parameter: Int32, to value: Float) {
        guard value.isFinite, parameter >= 0, parameter < Parameter.count else { return }
        values[Int(parameter)] = value
        chooseNotes()
    }

    /// Returns the amplitude of a level, which is 0 at -120 dB.
    @_noLocks
    static func amplitude(_ decibels: Double) -> Double {
        decibels <= Double(silentDecibels) ? 0 : Decibels(min(decibels, 24)).amplitude
    }

    @_noLocks
    private mutating func chooseNotes() {
        let scale = MusicalScale(rawValue: Int(self[.scale] + 0.5)) ?? .major
        notes = NoteSet(scale, key: min(max(Int(self[.key] + 0.5), 0), 11))
    }
}

extension HarmonyControls.Parameter {
    /// The parameter, if it is one of all voices together.
    var shared: HarmonyControls.SharedParameter? {
        HarmonyControls.SharedParameter(rawValue: rawValue)
    }

    /// The parameter of a voice, if `shared` is `nil`.
    var part: HarmonyControls.VoiceParameter {
        let index =
            (rawValue - HarmonyControls.SharedParameter.count)
            % HarmonyControls.VoiceParameter.count
        return HarmonyControls.VoiceParameter(rawValue: index) ?? .level
    }

    /// The number of that voice, from 0.
    var voice: Int {
        Int(
            (rawValue - HarmonyControls.SharedParameter.count)
                / HarmonyControls.VoiceParameter.count)
    }

    /// The index of the unison in the list of intervals, which goes from an octave below to an
    /// octave above.
    static var unison: Int { @_noLocks get { 7 } }

    /// The lowest and the highest value.
    var range: ClosedRange<Float> {
        switch shared {
        case .key: return 0...11
        case .scale: return 0...Float(MusicalScale.allCases.count - 1)
        case .lead, .unpitched: return HarmonyControls.silentDecibels...12
        case .tune, .variation, .crossing: return 0...1
        case .reference: return 400...480
        case nil: break
        }
        switch part {
        case .interval: return 0...Float(2 * Self.unison)
        case .semitones: return -24...24
        case .level: return HarmonyControls.silentDecibels...12
        case .pan: return -1...1
        case .formant: return -12...12
        case .delay: return 0...HarmonyControls.longestDelay
        }
    }

    /// The value if the file or the host has none.
    var defaultValue: Float {
        switch shared {
        case .key, .lead, .tune, .crossing: return 0
        case .scale: return Float(MusicalScale.major.rawValue)
        case .unpitched: return HarmonyControls.silentDecibels
        case .variation: return 0.3
        case .reference: return 440
        case nil: break
        }
        switch part {
        // A third and a fifth above, a third below, and an octave above.
        case .interval: return [9, 11, 5, 14][voice]
        case .semitones: return [4, 7, -5, 12][voice]
        case .level: return -3
        case .pan: return [-0.5, 0.5, -0.9, 0.9][voice]
        case .formant, .delay: return 0
        }
    }
}
