package import Pipelines

/// The change that a MIDI message has caused through a binding, at the frame of the message.
package struct BoundChange: BitwiseCopyable, Sendable, Equatable {
    /// The frame, counted from the start of the call.
    package var frame: Int32
    /// The node's index, or `scene`, `song`, `command`, `step` or `master`.
    package var node: Int32
    /// A parameter's index, an `RTTarget` or a `MasterTarget`; for other actions the index of the scene, song or
    /// binding, or the index in `Pipeline.Binding.Command.allCases`.
    package var target: Int32
    /// The target's new value; 0 for actions that are not value changes.
    package var value: Float
    /// The index of the binding in the pipeline.
    package var binding: Int32

    /// Creates a change; the parameters have the meaning of the properties.
    @_noLocks
    package init(frame: Int32, node: Int32, target: Int32, value: Float, binding: Int32) {
        self.frame = frame
        self.node = node
        self.target = target
        self.value = value
        self.binding = binding
    }

    /// The value of `node` for a scene of the pipeline.
    package static var scene: Int32 { @_noLocks get { -1 } }
    /// The value of `node` for a song of the setlist.
    package static var song: Int32 { @_noLocks get { -2 } }
    /// The value of `node` for a command.
    package static var command: Int32 { @_noLocks get { -3 } }
    /// The value of `node` for a step that depends on the state of the session: the next scene of a
    /// binding's list, or a command that continues at the other end of a list.
    package static var step: Int32 { @_noLocks get { -4 } }

    /// The value of `node` for a value of the whole session.
    package static var master: Int32 { @_noLocks get { -5 } }

    /// The command to carry out; `nil` if the change is not a command.
    ///
    /// Not for the audio thread.
    package var performed: Pipeline.Binding.Command? {
        let all = Pipeline.Binding.Command.allCases
        return node == Self.command && all.indices.contains(Int(target)) ? all[Int(target)] : nil
    }

    /// Returns whether the change is the given command.
    @_noLocks
    package func performs(_ command: Pipeline.Binding.Command) -> Bool {
        node == Self.command && target == Self.index(of: command)
    }

    /// Returns the index of a command in `Pipeline.Binding.Command.allCases`.
    @_noLocks
    static func index(of command: Pipeline.Binding.Command) -> Int32 {
        switch command {
        case .nextScene: 0
        case .previousScene: 1
        case .nextSong: 2
        case .previousSong: 3
        case .tapTempo: 4
        case .panic: 5
        case .fadeAll: 6
        case .stopAll: 7
        case .mute: 8
        case .save: 9
        case .saveScene: 10
        case .undo: 11
        case .redo: 12
        case .compare: 13
        case .go: 14
        case .back: 15
        }
    }
}

/// The current values of everything that bindings can move.
package struct NodeValues: BitwiseCopyable {
    /// The values of each node: bypass, then mix, then the parameters, as `RTTarget` counts from
    /// -2.
    package let nodes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The values of the whole session, in the order of `MasterTarget`; `nil` without any.
    let master: UnsafeMutablePointer<Float>?

    /// Refers to values of nodes that another object owns.
    package init(nodes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
        self.nodes = nodes
        master = nil
    }

    /// Refers to values of nodes and of the whole session that other objects own.
    @_noLocks
    init(_ values: NodeValues, master: UnsafeMutablePointer<Float>) {
        nodes = values.nodes
        self.master = master
    }

    /// Returns the value of a node's target, or of the whole session.
    @_noLocks
    package func value(_ node: Int32, _ target: Int32) -> Float {
        if node == BoundChange.master { return master?[Int(target)] ?? 0 }
        return nodes[Int(node)][Int(target) + 2]
    }
}
