internal import Engine
internal import Pipelines
internal import Processing
internal import Realtime

extension Replay {
    /// A node whose sound may depend on more than a box contains.
    public struct Unrepeatable: Sendable, Hashable {
        /// The id of the node.
        public var node: String
        /// What the sound may depend on.
        public var cause: Cause

        /// A reason why a sound may not repeat.
        public enum Cause: Sendable, Hashable {
            /// A plugin, by its URI, which may read the clock, random numbers or files.
            case plugin(String)
            /// A plugin that is not installed here, by its URI; its input passes through.
            case missingPlugin(String)
            /// A stream, by its address; it is silent in the replay.
            case stream(String)
            /// A file that is not there, by its path; the node is silent or passes its input.
            case file(String, MissingFile)
            /// Sound from before the beginning of the box, which lasts for this many seconds; `nil` if
            /// it may last without end.
            case past(seconds: Double?)
            /// More data from other threads than the box notes in one cycle.
            case arrivals
        }

        /// Creates a node.
        public init(node: String, cause: Cause) { (self.node, self.cause) = (node, cause) }
    }

    /// Why the contents of a file are not there.
    public enum MissingFile: Sendable, Hashable {
        /// It is neither in the box nor, unchanged, on this machine.
        case notThere
        /// It was changed before the box was kept.
        case changed
        /// The box contains no sound.
        case leftOut
    }
}

extension Schedule {
    /// The nodes that may remember sound for longer than a moment.
    var memories: [Replay.Unrepeatable] {
        let moment = 0.1
        return pipeline.nodes.indices.compactMap { node in
            let tails = processors(ofNode: node).map(\.tailFrames)
            let longest = tails.compactMap { $0 }.max() ?? 0
            let seconds = Double(longest) / plan.format.sampleRate
            let description = pipeline.nodes[node].description
            // A box notes the position of a player only while its rate is 1. An effect that notes
            // its state is equal only after a note.
            let isEndless =
                tails.contains(nil) || description.keepsSound || description.hasEnd
                || processors(ofNode: node).contains { $0.stateNotes != nil }
            guard isEndless || seconds > moment else { return nil }
            return Replay.Unrepeatable(
                node: pipeline.nodes[node].id,
                cause: .past(seconds: isEndless ? nil : seconds))
        }
    }
}

extension Pipeline.Node {
    /// Returns what the sound of the node may depend on that is not in a box; `nil` if nothing.
    func unrepeatableCause(_ catalogue: Catalogue) -> Replay.Unrepeatable.Cause? {
        switch type {
        case .plugin(let uri):
            (try? catalogue.plugins.description(ofPlugin: uri)) == nil
                ? .missingPlugin(uri) : .plugin(uri)
        case .effect:
            description.settings.first { $0.kind == .url }
                .flatMap { settings[$0.name]?.text }.map { .stream($0) }
        }
    }
}
