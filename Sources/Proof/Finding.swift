/// A finding about a night: a fact, its place, its consequence, and its remedy.
public struct Finding: Sendable, Equatable {
    /// The verdict, in the order of a report.
    public enum State: String, Sendable, Equatable, CaseIterable {
        /// The audience can hear it.
        case bad
        /// It can become audible under some conditions.
        case notice
        /// It could not be examined.
        case unknown
        /// There is nothing to do.
        case good
    }

    /// A measured number with its unit.
    public struct Figure: Sendable, Equatable {
        /// The number, in the unit.
        public var value: Double
        /// The symbol of the unit: `%`, `ms`, `MB`, `dB`, `LUFS`.
        public var unit: String

        init(_ value: Double, _ unit: String) { (self.value, self.unit) = (value, unit) }
    }

    /// The name of the check in JSON; several findings can have the same one.
    public var id: String
    /// The name of the check for people.
    public var title: String
    /// The verdict.
    public var state: State
    /// Where in the night; `nil` for the whole night.
    public var place: Place?
    /// The measured number; `nil` without one.
    public var figure: Figure?
    /// The fact, as a sentence.
    public var finding: String
    /// Why the fact matters, as a sentence.
    public var why: String
    /// What to do, as a sentence; `nil` if there is nothing to do.
    public var fix: String?
}

/// A place in a night.
public struct Place: Sendable, Equatable {
    /// The name of the song.
    public var song: String
    /// The name of the scene in effect.
    public var scene: String?
    /// The id of the node.
    public var node: String?

    init(song: String, scene: String? = nil, node: String? = nil) {
        (self.song, self.scene, self.node) = (song, scene, node)
    }

    /// The parts, from the song to the node.
    public var text: String {
        ([song, scene.map { "scene \($0)" }, node].compactMap { $0 }).joined(separator: ", ")
    }
}

/// A check of one property of a night that was played.
protocol NightCheck {
    /// The name in JSON.
    static var id: String { get }
    /// The name for people.
    static var title: String { get }
    /// Why the property matters, as a sentence.
    static var why: String { get }
    /// Returns the findings; none if the property does not apply to the night.
    static func findings(in night: PlayedNight) -> [Finding]
}

extension NightCheck {
    /// Returns a finding of this check.
    static func finding(
        _ state: Finding.State, _ text: String, at place: Place? = nil,
        figure: Finding.Figure? = nil, fix: String? = nil
    ) -> Finding {
        Finding(
            id: id, title: title, state: state, place: place, figure: figure, finding: text,
            why: why, fix: fix)
    }
}
