package import Pipelines

/// What a MIDI message has done through a binding, at its very frame.
package struct BoundChange: BitwiseCopyable, Sendable, Equatable {
    /// From the first of the call.
    package var frame: Int32
    /// The node's place, or `scene`, `song` or `command`.
    package var node: Int32
    /// A parameter's place or an `RTTarget`; the place of the scene or the song; the place in `Pipeline.Binding.Command.allCases`.
    package var target: Int32
    /// The target's new value; 0 for what is none.
    package var value: Float
    /// The place of the binding: the pipeline's, then those added to them.
    package var binding: Int32

    /// All parts, each as its property says.
    @_noLocks
    package init(frame: Int32, node: Int32, target: Int32, value: Float, binding: Int32) {
        self.frame = frame
        self.node = node
        self.target = target
        self.value = value
        self.binding = binding
    }

    /// In `node`: a scene of the pipeline is put on.
    package static var scene: Int32 { @_noLocks get { -1 } }
    /// In `node`: a song of the setlist begins.
    package static var song: Int32 { @_noLocks get { -2 } }
    /// In `node`: something else is done.
    package static var command: Int32 { @_noLocks get { -3 } }

    /// The command to be carried out; nil for what is none.
    ///
    /// Not for the audio thread.
    package var performed: Pipeline.Binding.Command? {
        let all = Pipeline.Binding.Command.allCases
        return node == Self.command && all.indices.contains(Int(target)) ? all[Int(target)] : nil
    }

    /// Whether it is the given command.
    @_noLocks
    package func performs(_ command: Pipeline.Binding.Command) -> Bool {
        node == Self.command && target == Self.place(of: command)
    }

    /// The place of a command among all.
    @_noLocks
    static func place(of command: Pipeline.Binding.Command) -> Int32 {
        switch command {
        case .nextScene: 0
        case .previousScene: 1
        case .nextSong: 2
        case .previousSong: 3
        case .tapTempo: 4
        case .panic: 5
        case .mute: 6
        }
    }
}

/// The present values of everything that may be moved: what bindings start from.
package struct LiveValues: BitwiseCopyable {
    /// By node; of each first bypass, then mix, then the parameters, as `RTTarget` counts from -2.
    package let nodes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Values that others keep.
    package init(nodes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) { self.nodes = nodes }

    /// The value of a node's target.
    @_noLocks
    package func value(_ node: Int32, _ target: Int32) -> Float {
        nodes[Int(node)][Int(target) + 2]
    }
}
