import Engine
import Show

/// One change: what plays before, what plays after, and how it gets there.
struct Change {
    /// The pipelines without their `version`, song by song; the first plays.
    var before: [String]
    /// What would play had it always been so; nil for silence.
    var after: String?
    var way: Way
    var law: Law
    /// Which output channel is listened to.
    var slot = 0
    /// Whether old and new sound at once for a while, each by itself: tails.
    var overlaps = false
    /// Whether the sound goes through silence.
    var dips = false
    /// How many values move at once, each by its law.
    var valueCount = 1
    /// The largest step in % of what the law allows.
    var mostStepPercent = 101.0
    /// How many dB the energy outside the band may be above the law's.
    var marginDecibels = 6.0
    /// Values that may move one by one as well: together they are to be heard no more than each by itself.
    var singles: [(String, Value)] = []
    /// Hz of a sine after the change, in shares of its Hz before; and before, in shares of what came in.
    var ratios: (before: Double, after: Double) = (1, 1)

    /// How the change is made.
    enum Way: Sendable {
        case set([(String, Value?)])
        /// One value after the other, all within 50 ms.
        case storm([(String, Value)])
        case edit(String)
        case song(Int)
        case start, stop
        /// Another block length.
        case format(Int)
    }

    /// A change within one song.
    init(_ before: String, after: String?, _ way: Way, _ law: Law) {
        self.before = [before]
        self.after = after
        self.way = way
        self.law = law
    }

    /// An edited file.
    init(_ before: String, editedTo after: String, overlaps: Bool = false) {
        self.init(before, after: after, .edit(after), .structure)
        self.overlaps = overlaps
    }

    /// A value that is moved.
    init(_ address: String, _ values: (Double, Double), _ law: Law, in text: (Double) -> String) {
        self.init(
            text(values.0), after: text(values.1), .set([(address, .number(values.1))]), law)
    }

    /// Makes it.
    func make(in rehearsal: Rehearsal) throws {
        let show = rehearsal.show
        switch way {
        case .set(let values):
            for (address, value) in values { try move(address, value, in: show) }
        case .storm(let values):
            try rehearsal.perform(values, withinSeconds: 0.05) { try move($0, $1, in: show) }
        case .edit(let text): show.edited([try rehearsal.material.song(text, place: 0)])
        case .song(let place): _ = show.perform(.set("song", .number(Double(place + 1))))
        case .start: _ = show.engine.fadeIn(seconds: law.seconds)
        case .stop: _ = show.engine.fadeOut(seconds: law.seconds)
        case .format(let frames): rehearsal.follow(blockFrames: frames)
        }
    }

    private func move(_ address: String, _ value: Value?, in show: Show) throws {
        guard case .done = show.perform(.set(address, value)) else {
            throw MeterFault(text: "\(address) is not to be moved")
        }
    }

    /// Whether nothing is heard before.
    var isStart: Bool { if case .start = way { true } else { false } }
}

/// Why nothing could be measured: a sentence without its full stop.
struct MeterFault: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
}
