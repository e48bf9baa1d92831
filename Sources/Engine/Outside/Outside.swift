public import Pipelines

/// The signals between the engine and the world, by name: each channel has a slot for as long as the signal is there.
///
/// Schedules find their inputs and outputs by name and kind, so that songs with other signals share one engine.
public struct Outside: Sendable, Equatable {
    /// In the order of their appearance.
    public private(set) var inputs: [Signal] = []
    /// In the order of their appearance.
    public private(set) var outputs: [Signal] = []

    /// The most audio channels in one direction.
    public static var mostChannels: Int { @_noLocks get { 1024 } }
    /// The most MIDI signals in one direction.
    public static var mostMessageSignals: Int { @_noLocks get { 64 } }

    /// A named signal.
    public struct Signal: Sendable, Equatable {
        /// As the pipelines name it.
        public var name: String
        /// What it carries.
        public var kind: Pipeline.SignalKind
        /// The place of each channel among those of its kind and direction; one for MIDI.
        public var slots: [Int]
        /// Of an audio output: whether a limiter guards it.
        public var hasLimiter: Bool
        /// What its channels connect to.
        public var connect: [Pipeline.ConnectionRule]
    }

    /// No signals.
    public init() {}

    /// The signals of one pipeline; nil where there are more than there may be.
    public init?(_ pipeline: Pipeline) {
        guard add(pipeline) else { return nil }
    }

    /// The name of the MIDI output that tells controllers where the values are that they are bound to.
    public static let feedbackName = "feedback"

    /// The slot of that output; nil where there is none.
    var feedbackSlot: Int? {
        outputs.first { $0.name == Self.feedbackName && $0.kind == .midi }?.slots.first
    }

    /// All audio slots in use are below this.
    public var inputSlots: Int { Self.end(of: inputs, .audio) }
    /// All audio slots in use are below this.
    public var outputSlots: Int { Self.end(of: outputs, .audio) }
    /// All MIDI slots in use are below this.
    public var messageInputSlots: Int { Self.end(of: inputs, .midi) }
    /// All MIDI slots in use are below this.
    public var messageOutputSlots: Int { Self.end(of: outputs, .midi) }

    /// Adds what a pipeline has and is not there yet; a signal that is there becomes as wide as is needed, and keeps
    /// the slots that it has.
    ///
    /// - Returns: Whether all of it fits: no more channels than there may be, and no name with two kinds. Where not,
    ///   nothing was added.
    public mutating func add(_ pipeline: Pipeline) -> Bool {
        var result = self
        for input in pipeline.inputs {
            let wish = Wish(input.name, input.kind, input.channels, false, input.connect)
            guard wish.isGranted(in: &result.inputs) else { return false }
        }
        for output in pipeline.outputs {
            let wish = Wish(
                output.name, output.kind, output.channels, output.hasLimiter, output.connect)
            guard wish.isGranted(in: &result.outputs) else { return false }
        }
        if pipeline.wantsFeedback {
            let wish = Wish(Self.feedbackName, .midi, 1, false, [])
            guard wish.isGranted(in: &result.outputs) else { return false }
        }
        self = result
        return true
    }

    /// Keeps only what one of the pipelines has, and no wider than one has it.
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

    /// The slots of an input's first channels.
    func slots(ofInput name: String, _ kind: Pipeline.SignalKind, count: Int) -> [Int32] {
        Self.slots(inputs, name, kind, count)
    }

    /// The slots of an output's first channels.
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

    private static func end(of signals: [Signal], _ kind: Pipeline.SignalKind) -> Int {
        (signals.filter { $0.kind == kind }.flatMap(\.slots).max() ?? -1) + 1
    }

    /// What a pipeline wants of the outside.
    private struct Wish {
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

        /// Adds the signal, or makes the one of its name wide enough.
        func isGranted(in signals: inout [Signal]) -> Bool {
            let place = signals.firstIndex { $0.name == signal.name }
            var wanted = place.map { signals[$0] } ?? signal
            guard wanted.kind == signal.kind else { return false }
            wanted.hasLimiter = wanted.hasLimiter || signal.hasLimiter
            let most = signal.kind == .audio ? Outside.mostChannels : Outside.mostMessageSignals
            let taken = Set(signals.filter { $0.kind == signal.kind }.flatMap(\.slots))
            let free = (0..<most).filter { !taken.contains($0) }
                .prefix(max(0, channels - wanted.slots.count))
            wanted.slots += free
            guard wanted.slots.count >= channels else { return false }
            if let place { signals[place] = wanted } else { signals.append(wanted) }
            return true
        }
    }
}

extension Pipeline {
    /// Whether controllers are to be told where their values are: not where a port of that name is something else.
    fileprivate var wantsFeedback: Bool {
        bindings.contains { if case .move = $0.action { true } else { false } }
            && !(inputs.map(\.name) + outputs.map(\.name)).contains(Outside.feedbackName)
    }
}

extension Outside.Signal {
    fileprivate var isFeedback: Bool { name == Outside.feedbackName && kind == .midi }

    /// The signal as wide as the widest wish; nil where nobody wishes it.
    fileprivate func kept(_ wishes: [Int]) -> Self? {
        guard let widest = wishes.max() else { return nil }
        var signal = self
        signal.slots = Array(slots.prefix(max(1, widest)))
        return signal
    }
}
