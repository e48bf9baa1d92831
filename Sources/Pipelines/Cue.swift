extension Pipeline {
    /// The place of a scene in a cue list: its number and text, and the scene that follows it.
    public struct Cue: Sendable, Equatable, Codable {
        /// The number as written in the file; `nil` without one.
        public var number: String?
        /// The text for people; `nil` without one.
        public var text: String?
        /// The scene that follows automatically; `nil` without one.
        public var follow: Follow?

        /// Creates a cue from its properties.
        public init(number: String? = nil, text: String? = nil, follow: Follow? = nil) {
            self.number = number
            self.text = text
            self.follow = follow
        }

        /// Whether the scene has neither number nor text, and no scene follows it.
        public var isEmpty: Bool { self == Cue() }
    }

    /// A scene that follows another one automatically.
    public struct Follow: Sendable, Equatable, Codable {
        /// The index in `scenes` of the scene that follows.
        public var scene: Int
        /// The time at which it follows.
        public var start: Start

        /// The time at which a scene follows, counted from the beginning of the scene before it.
        public enum Start: Sendable, Equatable, Codable {
            /// After a time in seconds, from 0 through 86,400.
            case after(seconds: Double)
            /// At the next end of a player, by its index in `nodes`.
            case endOfNode(Int)
        }

        /// Creates a follow from its properties.
        public init(scene: Int, start: Start) {
            self.scene = scene
            self.start = start
        }
    }
}
