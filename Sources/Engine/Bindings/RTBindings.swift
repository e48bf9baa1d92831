package import CRealtime

/// MIDI bindings on the audio thread, from song to song.
///
/// In each call of the engine, or piece of one: `evaluate`, then the changes are carried out (in `LiveValues` too), then,
/// once the values are those of the call's end, `sendFeedback`.
package struct RTBindings: ~Copyable {
    /// The most changes of a call; messages beyond them do nothing.
    package static var capacity: Int32 { @_noLocks get { 4096 } }

    /// What the last call's messages did, in the order of their frames.
    package let changes: UnsafeMutablePointer<BoundChange>
    private let arena: Arena
    private let memory: ControllerMemory
    private let taken: UnsafeMutablePointer<Int32>
    private var ear: LearnEar
    private var learned: LearnedControl?
    private var table: BindingTable?
    private var values: LiveValues?
    private var call: UInt64 = 0
    private var clock: UInt64 = 0

    /// Knows nothing of any control yet.
    package init() {
        arena = Arena()
        let none = BoundChange(frame: 0, node: 0, target: 0, value: 0, binding: 0)
        changes = arena.allocate(Int(Self.capacity), none)
        memory = ControllerMemory(arena: arena)
        taken = arena.allocate(memory.portCount, 0)
        ear = LearnEar(arena: arena)
    }

    /// Goes on with the bindings of another schedule, and tells all its controls where they are.
    ///
    /// - Parameters:
    ///   - table: Must live until another one is followed.
    ///   - values: The schedule's, which must be there as long.
    @_noLocks
    package mutating func follow(_ table: BindingTable, _ values: LiveValues) {
        self.table = table
        self.values = values
        tellAll()
    }

    /// Tells all controls where they are, as after a scene, in the next calls.
    @_noLocks
    package mutating func tellAll() { table?.feedback.tellAll() }

    /// Finds out what the messages of a call do.
    ///
    /// - Parameters:
    ///   - inputs: One a slot of the MIDI inputs outside; nil for none.
    ///   - inputCount: At most `Outside.mostMessageSignals` count.
    ///   - frames: How many the call has.
    /// - Returns: How many `changes` there are.
    @_noLocks
    package mutating func evaluate(
        _ inputs: UnsafePointer<RTMessages>?, _ inputCount: Int, frames: Int
    ) -> Int {
        call &+= 1
        defer { clock &+= UInt64(frames) }
        guard let inputs, let table, let values else { return 0 }
        var run = BindingRun(
            values: values, memory: memory, changes: changes, capacity: Self.capacity, call: call,
            clock: clock)
        let count = min(inputCount, memory.portCount)
        for input in 0..<count { taken[input] = 0 }
        while let port = nextPort(inputs, count), let first = inputs[port].first {
            let message = first[Int(taken[port])]
            taken[port] += 1
            run.port = Int32(port)
            run.frame = max(
                0, min(message.frame - inputs[port].startFrame, Int32(frames) - 1))
            if let control = ControlMessage(message) { act(on: control, table, &run) }
        }
        return Int(run.count)
    }

    /// The input whose next message comes first; of several at the same frame the first.
    @_noLocks
    private func nextPort(_ inputs: UnsafePointer<RTMessages>, _ count: Int) -> Int? {
        var found: Int?
        var earliest = Int32.max
        for port in 0..<count where taken[port] < inputs[port].count {
            guard let first = inputs[port].first else { continue }
            let frame = first[Int(taken[port])].frame &- inputs[port].startFrame
            if found == nil || frame < earliest { (found, earliest) = (port, frame) }
        }
        return found
    }

    @_noLocks
    private mutating func act(
        on message: ControlMessage, _ table: BindingTable, _ run: inout BindingRun
    ) {
        var move = ControllerMove(previous: -1, now: message.value)
        let before = run.count
        if message.kind == .controller {
            move = table.act(on: message, &run)
        } else {
            table.actOnPress(message, &run)
        }
        for place in Int(before)..<Int(run.count) where changes[place].node == BoundChange.scene {
            tellAll()
        }
        let bank = memory.bank(port: run.port, channel: message.channel)
        if let control = ear.hear(message, port: run.port, move, bank: bank) { learned = control }
    }

    /// Tells controls where their values are, where others than themselves changed these; at most 32 messages.
    ///
    /// - Parameters:
    ///   - sink: Where feedback goes; without one nothing is told, and all that is to be told is kept.
    ///   - frames: How many the call has: all goes out with the last, after whatever else goes there.
    @_noLocks
    package func sendFeedback(to sink: RTMessageSink, frames: Int) {
        guard let values else { return }
        table?.feedback.send(sink, frame: Int32(max(0, frames - 1)), values, clock: clock)
    }

    // MARK: Learning

    /// Begins or ends to listen for the control that is moved next.
    @_noLocks
    package mutating func listen(_ isListening: Bool) {
        ear.listen(isListening)
        learned = nil
    }

    /// The control that was moved since listening began, given once.
    @_noLocks
    package mutating func takeLearned() -> LearnedControl? {
        defer { learned = nil }
        return learned
    }
}
