public import Pipelines

/// The engine ports: the engine's named inputs and outputs, each channel with a slot that stays the
/// same while the signal exists.
///
/// Schedules find their inputs and outputs by name and kind, so that songs with different signals
/// can share one engine.
public struct EnginePorts: Sendable, Equatable, Codable {
    /// The inputs, in the order in which they were added.
    public private(set) var inputs: [Signal] = []
    /// The outputs, in the order in which they were added.
    public private(set) var outputs: [Signal] = []

    /// The maximum number of audio channels per direction.
    public static var maximumChannels: Int { @_noLocks get { 1024 } }
    /// The maximum number of MIDI signals per direction.
    public static var maximumMessageSignals: Int { @_noLocks get { 64 } }

    /// A named signal.
    public struct Signal: Sendable, Equatable, Codable {
        /// The name in the pipelines.
        public var name: String
        /// Audio or MIDI.
        public var kind: Pipeline.SignalKind
        /// The slots of the channels, numbered per kind and direction; MIDI signals have one.
        public var slots: [Int]
        /// Whether a limiter guards the signal; only for audio outputs.
        public var hasLimiter: Bool
        /// The ports to connect the channels to.
        public var connect: [Pipeline.ConnectionRule]
    }

    /// Creates engine ports without signals.
    public init() {}

    /// Creates the engine ports for one pipeline; returns `nil` if it has too many signals.
    public init?(_ pipeline: Pipeline) {
        guard add(pipeline) else { return nil }
    }

    /// The name of the MIDI output that reports the values of bound parameters to controllers.
    public static let feedbackName = "feedback"

    /// The slot of the feedback output; `nil` if the engine has no feedback output.
    var feedbackSlot: Int? {
        outputs.first { $0.name == Self.feedbackName && $0.kind == .midi }?.slots.first
    }

    /// One more than the highest audio input slot in use.
    public var inputSlots: Int { Self.audioSlots(of: inputs) }
    /// One more than the highest audio output slot in use.
    public var outputSlots: Int { Self.audioSlots(of: outputs) }

    /// Adds the signals of a pipeline; existing signals keep their slots and gain channels if the
    /// pipeline needs more.
    ///
    /// - Returns: Whether all signals fit: the channels do not exceed the maximum, and no name has
    ///   two kinds. If not, nothing is added.
    public mutating func add(_ pipeline: Pipeline) -> Bool {
        var result = self
        for input in pipeline.inputs {
            let need = SignalNeed(input.name, input.kind, input.channels, false, input.connect)
            guard need.grant(in: &result.inputs) else { return false }
        }
        for output in pipeline.outputs {
            let need = SignalNeed(
                output.name, output.kind, output.channels, output.hasLimiter, output.connect)
            guard need.grant(in: &result.outputs) else { return false }
        }
        if pipeline.wantsFeedback {
            let need = SignalNeed(Self.feedbackName, .midi, 1, false, [])
            guard need.grant(in: &result.outputs) else { return false }
        }
        self = result
        return true
    }

    /// Replaces the connection rules of all signals that one of the pipelines has; the first
    /// pipeline that has a signal decides.
    public mutating func useRules(of pipelines: [Pipeline]) {
        for index in inputs.indices {
            let name = inputs[index].name
            let input = pipelines.lazy.flatMap(\.inputs).first { $0.name == name }
            if let input { inputs[index].connect = input.connect }
        }
        for index in outputs.indices {
            let name = outputs[index].name
            let output = pipelines.lazy.flatMap(\.outputs).first { $0.name == name }
            if let output { outputs[index].connect = output.connect }
        }
    }

    /// Removes all signals that none of the pipelines has, and all channels that none of them
    /// needs.
    public mutating func keep(_ pipelines: [Pipeline]) {
        inputs = inputs.compactMap { signal in
            signal.kept(
                pipelines.flatMap(\.inputs).filter { $0.name == signal.name }.map(\.channels))
        }
        outputs = outputs.compactMap { signal in
            signal.kept(
                pipelines.flatMap(\.outputs).filter { $0.name == signal.name }.map(\.channels)
                    + pipelines.filter { $0.wantsFeedback && signal.isFeedback }.map { _ in 1 })
        }
    }

    /// Returns the slots of an input's first `count` channels.
    func slots(ofInput name: String, _ kind: Pipeline.SignalKind, count: Int) -> [Int32] {
        Self.slots(inputs, name, kind, count)
    }

    /// Returns the slots of an output's first `count` channels.
    func slots(ofOutput name: String, _ kind: Pipeline.SignalKind, count: Int) -> [Int32] {
        Self.slots(outputs, name, kind, count)
    }

    private static func slots(
        _ signals: [Signal], _ name: String, _ kind: Pipeline.SignalKind, _ count: Int
    ) -> [Int32] {
        guard let signal = signals.first(where: { $0.name == name && $0.kind == kind }),
            signal.slots.count >= count
        else { preconditionFailure("a schedule's signals are among those of its engine") }
        return signal.slots.prefix(count).map { Int32($0) }
    }

    private static func audioSlots(of signals: [Signal]) -> Int {
        (signals.filter { $0.kind == .audio }.flatMap(\.slots).max() ?? -1) + 1
    }

    /// A signal that a pipeline needs, and its number of channels.
    private struct SignalNeed {
        private let signal: Signal
        private let channels: Int

        init(
            _ name: String, _ kind: Pipeline.SignalKind, _ channels: Int, _ hasLimiter: Bool,
            _ connect: [Pipeline.ConnectionRule]
        ) {
            self.channels = max(1, channels)
            signal = Signal(
                name: name, kind: kind, slots: [], hasLimiter: hasLimiter, connect: connect)
        }

        /// Adds the signal, or widens the existing signal of this name; returns whether there is
        /// room.
        func grant(in signals: inout [Signal]) -> Bool {
            let index = signals.firstIndex { $0.name == signal.name }
            var wanted = index.map { signals[$0] } ?? signal
            guard wanted.kind == signal.kind else { return false }
            wanted.hasLimiter = wanted.hasLimiter || signal.hasLimiter
            if let index, wanted.slots.count >= channels {
                // The songs of a setlist mostly share their signals.
                signals[index].hasLimiter = wanted.hasLimiter
                return true
            }
            let most =
                signal.kind == .audio
                ? EnginePorts.maximumChannels : EnginePorts.maximumMessageSignals
            let taken = Set(signals.filter { $0.kind == signal.kind }.flatMap(\.slots))
            let free = (0..<most).filter { !taken.contains($0) }
                .prefix(max(0, channels - wanted.slots.count))
            wanted.slots += free
            guard wanted.slots.count >= channels else { return false }
            if let index { signals[index] = wanted } else { signals.append(wanted) }
            return true
        }
    }
}

extension Pipeline {
    /// Whether the pipeline needs the feedback output: it has bindings that move values, and none
    /// of its ports uses that name.
    fileprivate var wantsFeedback: Bool {
        bindings.contains { binding in
            guard case .move = binding.action else { return false }
            // A key of the computer cannot show a value.
            return if case .key = binding.trigger { false } else { true }
        }
            && !(inputs.map(\.name) + outputs.map(\.name)).contains(EnginePorts.feedbackName)
    }
}

extension EnginePorts.Signal {
    fileprivate var isFeedback: Bool { name == EnginePorts.feedbackName && kind == .midi }

    /// Returns the signal with as many channels as the largest request; `nil` if there is no
    /// request.
    fileprivate func kept(_ wishes: [Int]) -> Self? {
        guard let widest = wishes.max() else { return nil }
        var signal = self
        signal.slots = Array(slots.prefix(max(1, widest)))
        return signal
    }
}
