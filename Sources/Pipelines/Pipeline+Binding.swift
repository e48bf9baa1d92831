public import Processing

extension Pipeline {
    /// A binding of a MIDI event or a computer key to an action.
    public struct Binding: Sendable, Equatable, Codable {
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
        /// The kind of press that the binding acts on.
        public var press: Press
        /// The time after a press in which further presses have no effect, in seconds; 0 for none.
        public var guardSeconds: Double
        /// The law of a moved value between the ends of its range.
        public var taper: Taper
        /// Whether a step beyond the end of a list continues at its other end.
        public var wraps: Bool

        /// Creates a binding from its properties.
        public init(
            trigger: Trigger, channel: Int?, port: Int?, action: Action,
            encoding: Encoding = .twosComplement, isFine: Bool = false, bank: Int? = nil,
            press: Press = .short, guardSeconds: Double = 0, taper: Taper = .none,
            wraps: Bool = false
        ) {
            self.trigger = trigger
            self.channel = channel
            self.port = port
            self.action = action
            self.encoding = encoding
            self.isFine = isFine
            self.bank = bank
            self.press = press
            self.guardSeconds = guardSeconds
            self.taper = taper
            self.wraps = wraps
        }

        /// The event that triggers a binding.
        public enum Trigger: Sendable, Equatable, Codable {
            /// A controller, by its number.
            case controller(Int)
            /// A note, by its number.
            case note(Int)
            /// A program, by its number.
            case program(Int)
            /// The pitch bend wheel.
            case bend
            /// The pressure of a channel.
            case channelPressure
            /// The pressure of a key of an instrument, by the number of its note.
            case keyPressure(Int)
            /// A key of the computer.
            case key(ComputerKey)
        }

        /// The action of a binding.
        public enum Action: Sendable, Equatable, Codable {
            case move(
                Movable, from: Float, to: Float, curve: ParameterDescription.Curve, mode: Mode,
                takeover: Takeover)
            /// Moves a value to the entry of a list after the current value.
            case cycle(Movable, values: [Float])
            /// Recalls a scene, by its index in `scenes`.
            case scene(Int)
            /// Recalls the scene of a list after the one in effect, by indices in `scenes`.
            case cycleScenes([Int])
            /// Starts a song, by its index in the setlist's `songs`.
            case song(Int)
            /// Plays an item of a player from its start.
            case cue(Cue)
            case perform(Command)
        }

        /// An item of a player.
        public struct Cue: Sendable, Equatable, Codable {
            /// The index of the player in `nodes`.
            public var node: Int
            /// The number of the item, from 1.
            public var item: Int
            /// The index of the parameter that selects the item.
            public var itemParameter: Int
            /// The index of the parameter that starts the item.
            public var startParameter: Int

            /// Creates a cue from its properties.
            public init(node: Int, item: Int, itemParameter: Int, startParameter: Int) {
                self.node = node
                self.item = item
                self.itemParameter = itemParameter
                self.startParameter = startParameter
            }
        }

        /// The kind of press that a binding acts on.
        public enum Press: Sendable, Equatable, Codable {
            /// Any press that is not a long or a double one of the same control.
            case short
            /// A press that lasts this time, in seconds.
            case long(holdSeconds: Double)
            /// A second press sooner than this time after the first one, in seconds.
            case double(windowSeconds: Double)
        }

        /// The law of a moved value between the ends of its range.
        public enum Taper: Sendable, Equatable, Codable {
            /// The curve of the movement applies.
            case none
            /// The amplitude follows the fourth power of the position.
            case audio
        }

        /// How the value of an event changes the target.
        public enum Mode: String, Sendable, CaseIterable, Codable {
            case absolute, toggle, momentary, relative
        }

        /// How the value of a controller encodes steps.
        public enum Encoding: String, Sendable, CaseIterable, Codable {
            /// 1…63 are steps up; 127…64 are 1…64 steps down.
            case twosComplement = "twos-complement"
            /// The number of steps; 64 is added for steps down.
            case signedBit = "signed-bit"
            /// 64 is no step; values above it are steps up, and values below it are steps down.
            case offset
        }

        /// How a control takes effect if its position differs from the value.
        public enum Takeover: String, Sendable, CaseIterable, Codable { case jump, pickup }

        /// An action that changes no value.
        public enum Command: String, Sendable, CaseIterable, Codable {
            case nextScene = "next-scene"
            case previousScene = "previous-scene"
            case nextSong = "next-song"
            case previousSong = "previous-song"
            case tapTempo = "tap-tempo"
            case panic
            /// Fades out everything that players play, and stops it.
            case fadeAll = "fade-all"
            /// Stops all players and loopers at once.
            case stopAll = "stop-all"
            case mute
            /// Saves the live values into the song's file.
            case save
            /// Saves the live values into the scene in effect.
            case saveScene = "save-scene"
            /// Undoes the last edit of the file.
            case undo
            /// Makes the edit of the file again that was undone last.
            case redo
            /// Switches between the saved and the live values.
            case compare
            /// Calls the next cue.
            case go
            /// Calls the previous cue.
            case back

            /// Whether the command steps through a list, and can continue at its other end.
            public var isStep: Bool {
                switch self {
                case .nextScene, .previousScene, .nextSong, .previousSong: true
                default: false
                }
            }
        }
    }
}

extension Pipeline.Node {
    /// Returns the cue of an item, counted from 1, if the node at this index is a player.
    func cue(item: Int, node: Int) -> Pipeline.Binding.Cue? {
        guard
            let itemParameter = parameters.firstIndex(where: {
                $0.name == "item" && $0.kind == .integer
            }),
            let startParameter = parameters.firstIndex(where: {
                $0.name == "trigger" && $0.isTrigger
            })
        else { return nil }
        return Pipeline.Binding.Cue(
            node: node, item: item, itemParameter: itemParameter, startParameter: startParameter)
    }

    /// The number of items of a player; `nil` if it is not known.
    var itemCount: Int? {
        if isStandIn { return nil }
        for case .playlist(let items) in settings.values { return items.count }
        return 1
    }
}
