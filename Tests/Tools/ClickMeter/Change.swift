import Engine
import SessionCore

/// One change: the signal before, the signal after, and the transition.
struct Change {
    /// The pipelines without their `version`, one per song; the first is active.
    var before: [String]
    /// The pipeline that is in the changed state from the start; `nil` for silence.
    var after: String?
    var way: Way
    var law: Law
    /// The keys of a setlist around all songs, each with a comma at its end; empty without one.
    var outer = ""
    /// The output channel to measure.
    var slot = 0
    /// Whether old and new sound together for some time, independently: tails.
    var overlaps = false
    /// Whether the sound passes through silence.
    var dips = false
    /// The number of values that move at once, each by its law.
    var valueCount = 1
    /// The largest allowed step, in percent of the law's largest step.
    var maximumStepPercent = 101.0
    /// The allowed excess of the energy outside the band over the law's, in dB.
    var marginDecibels = 6.0
    /// Values that can also move one at a time: together, they must be no more audible than each
    /// alone.
    var singles: [(String, Value)] = []
    /// The pipeline in which the change is made, if other pipelines have the sounds before and after
    /// it: a looper.
    var stage: String?
    /// The actions before the change, each at a number of frames before it.
    var preparation: [(framesBefore: Int, address: String)] = []
    /// The number of frames that the preparation needs.
    var preparationFrames = 0
    /// The number of frames before the change at which the transition begins.
    var earlyFrames = 0
    /// The frequency of a sine after the change, relative to before; and before, relative to the
    /// input.
    var ratios: (before: Double, after: Double) = (1, 1)

    /// The way in which the change is made.
    enum Way: Sendable {
        case set([(String, Value?)])
        /// One value after the other, all within 50 ms.
        case storm([(String, Value)])
        /// One value after the other, spread over a time in seconds.
        case sequence([(String, Value)], seconds: Double)
        case edit(String)
        case song(Int)
        case start, stop
        /// Another block size.
        case format(Int)
    }

    /// Creates a change within one song.
    init(_ before: String, after: String?, _ way: Way, _ law: Law) {
        self.before = [before]
        self.after = after
        self.way = way
        self.law = law
    }

    /// Creates an edit of the pipeline file.
    init(_ before: String, editedTo after: String, overlaps: Bool = false) {
        self.init(before, after: after, .edit(after), .structure)
        self.overlaps = overlaps
    }

    /// Creates a change of one value.
    init(_ address: String, _ values: (Double, Double), _ law: Law, in text: (Double) -> String) {
        self.init(
            text(values.0), after: text(values.1), .set([(address, .number(values.1))]), law)
    }

    /// Makes the change.
    func make(in rehearsal: Rehearsal) throws {
        let session = rehearsal.session
        switch way {
        case .set(let values):
            for (address, value) in values { try move(address, value, in: session) }
        case .storm(let values):
            try rehearsal.perform(values, withinSeconds: 0.05) { try move($0, $1, in: session) }
        case .sequence(let values, let seconds):
            try rehearsal.perform(values, withinSeconds: seconds) { try move($0, $1, in: session) }
        case .edit(let text): session.follow([try rehearsal.material.song(text, place: 0)])
        case .song(let place): _ = session.perform(.set("song", .number(Double(place + 1))))
        case .start: _ = session.engine.fadeIn(seconds: law.seconds)
        case .stop: _ = session.engine.fadeOut(seconds: law.seconds)
        case .format(let frames): rehearsal.follow(blockFrames: frames)
        }
    }

    /// Performs an action of the preparation.
    func prepare(_ address: String, in rehearsal: Rehearsal) throws {
        try move(address, .toggle(true), in: rehearsal.session)
    }

    private func move(_ address: String, _ value: Value?, in session: Session) throws {
        let request =
            value.map { SessionRequest.set(address, $0) }
            ?? SessionCommand(rawValue: address).map { .perform($0) } ?? .get(address)
        if case .refused = session.perform(request) {
            throw MeterError(text: "\(address) is not to be moved")
        }
    }

    /// Whether the signal before the change is silence.
    var isStart: Bool { if case .start = way { true } else { false } }
}

/// The reason why a measurement failed: a sentence without the full stop.
struct MeterError: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
}
