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
        /// How a controller sends steps, for the mode `relative`.
        public var encoding: Encoding
        /// Whether a controller of 0…31 has 14 bits: the lower seven come from the one 32 above it.
        public var isFine: Bool
        /// For a program: the bank that must be selected, from 0 through 16383; nil for any.
        public var bank: Int?

        /// All parts, each as its property says.
        public init(
            trigger: Trigger, channel: Int?, port: Int?, action: Action,
            encoding: Encoding = .twosComplement, isFine: Bool = false, bank: Int? = nil
        ) {
            self.trigger = trigger
            self.channel = channel
            self.port = port
            self.action = action
            self.encoding = encoding
            self.isFine = isFine
            self.bank = bank
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
            /// By its place in a setlist's `songs`.
            case song(Int)
            case perform(Command)
        }

        /// How an event's value becomes the target's.
        public enum Mode: String, Sendable, CaseIterable {
            case absolute, toggle, momentary, relative
        }

        /// How a controller's value says steps.
        public enum Encoding: String, Sendable, CaseIterable {
            /// 1…63 are steps up; 127…64 are 1…64 steps down.
            case twosComplement = "twos-complement"
            /// The steps, with 64 added for those down.
            case signedBit = "signed-bit"
            /// 64 is none, above it are steps up.
            case offset
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
