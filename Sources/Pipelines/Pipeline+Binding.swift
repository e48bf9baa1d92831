public import Processing

extension Pipeline {
    /// A binding of a MIDI event to an action.
    public struct Binding: Sendable, Equatable {
        /// The event.
        public var trigger: Trigger
        /// The MIDI channel, from 1 through 16; `nil` for any.
        public var channel: Int?
        /// The index of the MIDI input in `inputs`; `nil` for any.
        public var port: Int?
        /// The action of the event.
        public var action: Action
        /// The encoding of a controller's steps, for the mode `relative`.
        public var encoding: Encoding
        /// Whether a controller 0…31 has 14 bits; the one 32 above it sends the lower seven.
        public var isFine: Bool
        /// The bank that must be selected for a program, from 0 through 16383; `nil` for any.
        public var bank: Int?

        /// Creates a binding from its properties.
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

        /// A MIDI event, by the number of its controller, note or program.
        public enum Trigger: Sendable, Equatable {
            case controller(Int)
            case note(Int)
            case program(Int)
        }

        /// The action of a binding.
        public enum Action: Sendable, Equatable {
            case move(
                Address, from: Float, to: Float, curve: ParameterDescription.Curve, mode: Mode,
                takeover: Takeover)
            /// Recalls a scene, by its index in `scenes`.
            case scene(Int)
            /// Starts a song, by its index in the setlist's `songs`.
            case song(Int)
            case perform(Command)
        }

        /// How the value of an event changes the target.
        public enum Mode: String, Sendable, CaseIterable {
            case absolute, toggle, momentary, relative
        }

        /// How the value of a controller encodes steps.
        public enum Encoding: String, Sendable, CaseIterable {
            /// 1…63 are steps up; 127…64 are 1…64 steps down.
            case twosComplement = "twos-complement"
            /// The number of steps; 64 is added for steps down.
            case signedBit = "signed-bit"
            /// 64 is no step; values above it are steps up, and values below it are steps down.
            case offset
        }

        /// How a control takes effect if its position differs from the value.
        public enum Takeover: String, Sendable, CaseIterable { case jump, pickup }

        /// An action that changes no value.
        public enum Command: String, Sendable, CaseIterable {
            case nextScene = "next-scene"
            case previousScene = "previous-scene"
            case nextSong = "next-song"
            case previousSong = "previous-song"
            case tapTempo = "tap-tempo"
            case panic
            case mute
            /// Saves the live values into the song's file.
            case save
            /// Saves the live values into the scene in effect.
            case saveScene = "save-scene"
            /// Restores the file as it was before the last edit.
            case undo
            /// Switches between the saved and the live values.
            case compare
        }
    }
}
