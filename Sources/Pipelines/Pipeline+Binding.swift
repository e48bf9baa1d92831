public import Processing

extension Pipeline {
    /// What a MIDI event does.
    public struct Binding: Sendable, Equatable {
        /// The event.
        public var trigger: Trigger
        /// From 1 through 16; nil for any.
        public var channel: Int?
        /// The MIDI input it listens to, by its place in `inputs`; nil for any.
        public var port: Int?
        /// What it does.
        public var action: Action

        /// All parts, each as its property says.
        public init(trigger: Trigger, channel: Int?, port: Int?, action: Action) {
            self.trigger = trigger
            self.channel = channel
            self.port = port
            self.action = action
        }

        /// The event.
        public enum Trigger: Sendable, Equatable {
            case controller(Int)
            case note(Int)
            case program(Int)
        }

        /// What follows.
        public enum Action: Sendable, Equatable {
            case move(
                Address, from: Float, to: Float, curve: ParameterDescription.Curve, mode: Mode,
                takeover: Takeover)
            /// By its place in `scenes`.
            case scene(Int)
            case perform(Command)
        }

        /// How an event's value becomes the target's.
        public enum Mode: String, Sendable, CaseIterable {
            case absolute, toggle, momentary, relative
        }

        /// What a control does whose position differs from the value.
        public enum Takeover: String, Sendable, CaseIterable { case jump, pickup }

        /// What is not a value.
        public enum Command: String, Sendable, CaseIterable {
            case nextScene = "next-scene"
            case previousScene = "previous-scene"
            case nextSong = "next-song"
            case previousSong = "previous-song"
            case tapTempo = "tap-tempo"
            case panic
            case mute
        }
    }
}
