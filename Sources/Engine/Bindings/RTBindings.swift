package import CRealtime

/// MIDI bindings on the audio thread, across songs.
///
/// In each call of the engine, or piece of one, call `evaluate`, carry out the changes (in
/// `NodeValues` too), and then, when the values are those at the end of the call, call
/// `sendFeedback`.
package struct RTBindings: ~Copyable {
    /// The maximum number of changes per call; further messages have no effect.
    package static var capacity: Int32 { @_noLocks get { 4096 } }

    /// The changes that the last call's messages caused, ordered by frame.
    package let changes: UnsafeMutablePointer<BoundChange>
    private let arena: Arena
    private let memory: ControllerMemory
    private let copies: CopyDetector
    private let states: BindingStates
    private let gestures: PressGestures
    private var keys = PressedKeys()
    private let readCounts: UnsafeMutablePointer<Int32>
    private var learnDetector: LearnDetector
    private var learned: LearnedControl?
    private var table: BindingTable?
    private var values: NodeValues?
    /// The values of the whole session, in the order of `MasterTarget`.
    private let masterValues: UnsafeMutablePointer<Float>
    private var call: UInt64 = 0
    private var clock: UInt64 = 0

    /// Creates bindings without a table; the positions of all controls are unknown.
    package init() {
        arena = Arena()
        let none = BoundChange(frame: 0, node: 0, target: 0, value: 0, binding: 0)
        changes = arena.allocate(Int(Self.capacity), none)
        memory = ControllerMemory(arena: arena)
        copies = CopyDetector(arena: arena)
        states = BindingStates(arena: arena)
        gestures = PressGestures(arena: arena)
        readCounts = arena.allocate(memory.portCount, 0)
        masterValues = arena.allocate(MasterTarget.count, 0)
        learnDetector = LearnDetector(arena: arena)
    }

    /// Continues with the bindings of another schedule, and sends feedback to all its controls.
    ///
    /// - Parameters:
    ///   - table: The bindings; they must exist until the next call of `follow`.
    ///   - values: The schedule's values; they must exist as long as `table`.
    @_noLocks
    package mutating func follow(_ table: BindingTable, _ values: NodeValues) {
        self.table = table
        self.values = NodeValues(values, master: masterValues)
        sendAll()
    }

    /// Notes a value of the whole session, from which bindings continue.
    @_noLocks
    package func note(_ target: MasterTarget, _ value: Float) {
        masterValues[Int(target.rawValue)] = value
    }

    /// Makes the next calls send feedback to all controls, for example after a scene.
    @_noLocks
    package mutating func sendAll() { table?.feedback.sendAll() }

    /// Counts a press of a computer key, which acts at the first frame of the next call; a press is
    /// lost if too many have been counted since the last call.
    ///
    /// - Parameter key: The number of the key; see `ComputerKey`.
    @_noLocks
    package mutating func press(key: Int32) { keys.append(key) }

    /// Evaluates the messages of a call.
    ///
    /// - Parameters:
    ///   - inputs: One entry per slot of the engine's MIDI inputs; `nil` if the engine has no MIDI
    ///     input.
    ///   - inputCount: The number of inputs; those beyond `EnginePorts.maximumMessageSignals` are
    ///     ignored.
    ///   - frames: The number of frames in the call.
    /// - Returns: The number of valid `changes`.
    @_noLocks
    package mutating func evaluate(
        _ inputs: UnsafePointer<RTMessages>?, _ inputCount: Int, frames: Int
    ) -> Int {
        call &+= 1
        defer { clock &+= UInt64(frames) }
        guard frames > 0, hasWork(inputs, inputCount), let table, let values else { return 0 }
        var run = BindingRun(
            values: values, memory: memory, states: states, changes: changes,
            capacity: Self.capacity, call: call, clock: clock)
        gestures.advance(to: clock, table, &run)
        actOnKeys(table, &run)
        sendAll(afterScenesFrom: 0, run)
        if let inputs {
            act(on: inputs, min(inputCount, memory.portCount), frames: frames, table, &run)
        }
        let before = run.count
        gestures.advance(to: clock &+ UInt64(frames) &- 1, table, &run)
        sendAll(afterScenesFrom: before, run)
        return Int(run.count)
    }

    /// Whether a message, a key or an undecided press can cause a change in this call.
    @_noLocks
    private func hasWork(_ inputs: UnsafePointer<RTMessages>?, _ inputCount: Int) -> Bool {
        if !gestures.isEmpty || !keys.isEmpty { return true }
        guard let inputs else { return false }
        for input in 0..<inputCount where inputs[input].count > 0 { return true }
        return false
    }

    /// Sends feedback to all controls if one of the changes from an index on is a scene.
    @_noLocks
    private func sendAll(afterScenesFrom first: Int32, _ run: BindingRun) {
        for index in Int(first)..<Int(run.count) where changes[index].node == BoundChange.scene {
            table?.feedback.sendAll()
        }
    }

    @_noLocks
    private mutating func actOnKeys(_ table: BindingTable, _ run: inout BindingRun) {
        (run.frame, run.port, run.isCopy) = (0, 0, false)
        while let key = keys.popFirst() {
            table.actOnEvent(
                ControlMessage(kind: .key, channel: 0, number: key, value: 127), gestures, &run)
        }
    }

    @_noLocks
    private mutating func act(
        on inputs: UnsafePointer<RTMessages>, _ count: Int, frames: Int, _ table: BindingTable,
        _ run: inout BindingRun
    ) {
        for input in 0..<count { readCounts[input] = 0 }
        while let port = nextPort(inputs, count), let first = inputs[port].first {
            let message = first[Int(readCounts[port])]
            readCounts[port] += 1
            guard let control = ControlMessage(message) else { continue }
            let frame = max(0, min(message.frame - inputs[port].startFrame, Int32(frames) - 1))
            let before = run.count
            gestures.advance(to: run.clock &+ UInt64(frame), table, &run)
            (run.port, run.frame) = (Int32(port), frame)
            run.isCopy = copies.isCopy(control, port: run.port, frame: run.now)
            act(on: control, table, &run)
            sendAll(afterScenesFrom: before, run)
        }
    }

    /// Returns the input with the earliest next message; among equal frames the first input.
    @_noLocks
    private func nextPort(_ inputs: UnsafePointer<RTMessages>, _ count: Int) -> Int? {
        var found: Int?
        var earliest = Int32.max
        for port in 0..<count where readCounts[port] < inputs[port].count {
            guard let first = inputs[port].first else { continue }
            let frame = first[Int(readCounts[port])].frame &- inputs[port].startFrame
            if found == nil || frame < earliest { (found, earliest) = (port, frame) }
        }
        return found
    }

    @_noLocks
    private mutating func act(
        on message: ControlMessage, _ table: BindingTable, _ run: inout BindingRun
    ) {
        var move = ControllerMove(previous: -1, now: message.value)
        if message.kind == .controller {
            move = table.act(on: message, gestures, &run)
        } else {
            table.actOnEvent(message, gestures, &run)
        }
        guard !run.isCopy else { return }
        let bank = memory.bank(port: run.port, channel: message.channel)
        if let control = learnDetector.receive(message, port: run.port, move, bank: bank) {
            learned = control
        }
    }

    /// Sends feedback for values that were not changed by their controls, up to 32 messages.
    ///
    /// - Parameters:
    ///   - sink: The destination; an empty sink keeps the feedback pending.
    ///   - frames: The number of frames in the call; feedback is sent at the last frame, after any
    ///     other messages.
    @_noLocks
    package func sendFeedback(to sink: RTMessageSink, frames: Int) {
        guard let values else { return }
        table?.feedback.send(sink, frame: Int32(max(0, frames - 1)), values, clock: clock)
    }

    // MARK: Learning

    /// Starts or stops learning the control that moves next.
    @_noLocks
    package mutating func listen(_ isListening: Bool) {
        learnDetector.listen(isListening)
        learned = nil
    }

    /// Returns the control that was moved since learning started, once.
    @_noLocks
    package mutating func popLearned() -> LearnedControl? {
        defer { learned = nil }
        return learned
    }
}
