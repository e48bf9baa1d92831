internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

// Writes everything that the output depends on into the capture ring.

extension EngineCore {
    /// The number of words of a transport.
    private static var transportWords: Int { @_noLocks get { 6 } }

    /// Captures the beginning of a call, with its inputs.
    @_noLocks
    mutating func captureCall(
        _ frames: Int, _ inputs: UnsafePointer<UnsafePointer<Float>>,
        _ engineCall: UnsafePointer<RTEngineCall>?
    ) {
        let transport = engineCall?.pointee.transport
        let channels = captured.inputSlots(schedules, commands.peek())
        let sampleWords = (frames + 1) / 2
        let callWords =
            3 + (transport == nil ? 0 : Self.transportWords) + channels * sampleWords
        guard captured.writer.hasRoom(callWords + 2 + captured.messageWords(engineCall)) else {
            return
        }
        if captured.writer.isLosing { captured.writer.noteGap() }
        captured.putMessages(engineCall)
        captured.writer.begin(.call, callWords)
        captured.writer.put(frame)
        captured.writer.put(UInt64(frames) | UInt64(channels) << 32)
        let flags: UInt64 =
            (engineCall == nil ? 0 : 1)
            | (engineCall?.pointee.isFreewheeling == true ? 2 : 0)
            | (clock.isLeading ? 4 : 0) | (transport == nil ? 0 : 8)
        captured.writer.put(
            flags | UInt64(UInt32(truncatingIfNeeded: engineCall?.pointee.inputCount ?? 0)) << 32)
        if let transport { captured.put(transport.pointee) }
        for channel in 0..<channels { captured.writer.put(inputs[channel], frames * 4) }
        captured.writer.publish()
    }

    /// Captures a command of this piece.
    @_noLocks
    mutating func capture(_ command: Command) {
        guard captured.isOn, !captured.writer.isLosing,
            captured.writer.hasRoom(CapturedCommand.wordCount + 2)
        else { return }
        var schedule: UInt64 = 0
        if case .exchange(let handle, _) = command {
            schedule = PlayingSchedule(handle: handle)?.core.pointee.number ?? 0
        }
        captured.writer.begin(.command, CapturedCommand.wordCount + 1)
        captured.writer.put(frame)
        CapturedCommand(command, schedule: schedule).write(to: &captured.writer)
        captured.writer.publish()
    }

    /// Captures the end of a call.
    ///
    /// - Parameters:
    ///   - ticks: The time of the call.
    ///   - frames: The frames of the call.
    ///   - outputs: Its outputs.
    ///   - isLate: Whether the call took longer than its period; then the times of its nodes follow.
    @_noLocks
    mutating func captureEnd(
        _ ticks: UInt64, _ frames: Int,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, isLate: Bool
    ) {
        playing.playedFrame?.pointee.store(frame, ordering: .relaxed)
        for index in 0..<schedules.count {
            captureArrivals(schedules[index].pointee.schedule.core)
        }
        captureState(schedules.playing.core, frames: frames)
        captureSound(schedules.playing.core, frames: frames)
        let nodes = isLate ? playing.nodeCount : 0
        guard !captured.writer.isLosing, captured.writer.hasRoom(5 + nodes) else { return }
        var sum = frame
        for slot in 0..<playing.outputSlotCount {
            sum = rt_checksum(sum, outputs[slot], Int64(frames))
        }
        captured.writer.begin(.end, 4 + nodes)
        captured.writer.put(frame)
        captured.writer.put(sum)
        captured.writer.put(ticks)
        captured.writer.put(playing.number << 1 | (isLate ? 1 : 0))
        for node in 0..<nodes {
            captured.writer.put(
                captured.hasPieces && node < CoreCapture.nodeCapacity
                    ? captured.nodeTicks[node] : playing.nodes[node].pointee.measurement.ticks)
        }
        captured.writer.publish()
    }

    /// Captures the arrivals in the nodes of a schedule, and forgets them.
    @_noLocks
    private mutating func captureArrivals(_ core: UnsafeMutablePointer<ScheduleCore>) {
        for index in 0..<core.pointee.arrivalCount {
            let source = core.pointee.arrivals[index]
            let count = source.notes.pointee.count
            defer { source.notes.pointee.clear() }
            guard count > 0, !captured.writer.isLosing, captured.writer.hasRoom(count + 3) else {
                continue
            }
            captured.writer.begin(.arrivals, count + 2)
            captured.writer.put(core.pointee.number)
            captured.writer.put(
                UInt64(UInt32(bitPattern: source.node))
                    | UInt64(UInt32(bitPattern: source.processor)) << 32
                    | (source.notes.pointee.hasLost ? 1 << 63 : 0))
            for word in 0..<count { captured.writer.put(source.notes.pointee.word(word)) }
        }
    }

    /// Captures the state of a node that has noted it, and asks the next one.
    @_noLocks
    private mutating func captureState(
        _ core: UnsafeMutablePointer<ScheduleCore>, frames: Int
    ) {
        guard let source = captured.states.next(core, frames: frames),
            let words = source.notes.pointee.start
        else { return }
        let count = source.notes.pointee.count
        // The room that the end of the call needs remains.
        guard captured.writer.hasRoom(forOptional: count + 4 + 5 + core.pointee.nodeCount) else {
            return
        }
        captured.writer.begin(.state, count + 3)
        captured.writer.put(core.pointee.number)
        captured.writer.put(
            UInt64(UInt32(bitPattern: source.node))
                | UInt64(UInt32(bitPattern: source.processor)) << 32)
        captured.writer.put(UInt64(truncatingIfNeeded: source.notes.pointee.frame))
        captured.writer.put(words, count * 8)
    }

    /// Captures the next parts of the sound that nodes keep.
    @_noLocks
    private mutating func captureSound(
        _ core: UnsafeMutablePointer<ScheduleCore>, frames: Int
    ) {
        guard core.pointee.soundCount > 0 else { return }
        captured.sounds.advance(frames)
        // The room that the end of this call needs remains, and that of many following calls.
        let mostWords =
            SoundRound.words(samples: SoundPart.capacity) + 5 + core.pointee.nodeCount
        while captured.sounds.isDue, captured.writer.isHalfFree(after: mostWords) {
            guard let part = captured.sounds.next(core) else { return }
            let source = captured.sounds.source(core)
            captured.writer.begin(.sound, SoundRound.words(samples: part.count) - 1)
            captured.writer.put(core.pointee.number)
            captured.writer.put(
                UInt64(UInt32(bitPattern: source.node))
                    | UInt64(UInt32(bitPattern: source.processor)) << 32)
            captured.writer.put(part.address)
            captured.writer.put(part.secondAddress)
            captured.writer.put(UInt64(truncatingIfNeeded: part.count))
            captured.writer.put(part.start, part.count * 4)
        }
    }

    /// Adds the times of the nodes in a piece of a call that has several.
    ///
    /// - Parameter isFirst: Whether the piece is the first one of the call.
    @_noLocks
    func capturePiece(isFirst: Bool) {
        for node in 0..<min(playing.nodeCount, CoreCapture.nodeCapacity) {
            let ticks = playing.nodes[node].pointee.measurement.ticks
            captured.nodeTicks[node] = ticks &+ (isFirst ? 0 : captured.nodeTicks[node])
        }
    }
}

/// The capture of an engine on the audio thread.
struct CoreCapture: BitwiseCopyable {
    let isOn: Bool
    var writer: CaptureWriter
    /// The number of nodes whose times in the pieces of a call are added.
    static var nodeCapacity: Int { @_noLocks get { 1024 } }
    /// The time of each node in all pieces of a call that has several.
    let nodeTicks: UnsafeMutablePointer<UInt64>
    /// Whether the present call has several pieces.
    var hasPieces = false
    /// The turns in which nodes note their state.
    var states = StateRound()
    /// The turns in which nodes note the sound that they keep.
    var sounds: SoundRound
    /// The exchange that was captured last and may have to wait.
    var lastExchange: UInt = 0

    /// Creates a capture; without a writer it is off.
    ///
    /// - Parameters:
    ///   - writer: The writer.
    ///   - soundRoundFrames: The shortest time in which nodes note the sound that they keep.
    ///   - arena: The owner of the memory.
    init(_ writer: CaptureWriter?, soundRoundFrames: Int, arena: Arena) {
        isOn = writer != nil
        sounds = SoundRound(leastFrames: soundRoundFrames)
        nodeTicks = arena.allocate(writer == nil ? 1 : Self.nodeCapacity, 0)
        // Without a capture, the writer is never used.
        self.writer =
            writer ?? CaptureWriter(memory: arena.allocate(17, UInt64(0)), mask: 0)
    }

    /// Returns the number of input slots that a call may use.
    @_noLocks
    fileprivate func inputSlots(_ schedules: RunningSchedules, _ next: Command?) -> Int {
        var count = 0
        for index in 0..<schedules.count {
            count = max(count, schedules[index].pointee.schedule.core.pointee.inputSlotCount)
        }
        if case .exchange(let handle, _)? = next, let arriving = PlayingSchedule(handle: handle) {
            count = max(count, arriving.core.pointee.inputSlotCount)
        }
        return count
    }

    @_noLocks
    fileprivate func messageWords(_ engineCall: UnsafePointer<RTEngineCall>?) -> Int {
        guard let engineCall, let messages = engineCall.pointee.messages else { return 0 }
        var words = 0
        for slot in 0..<Int(engineCall.pointee.inputCount) {
            guard let first = messages[slot].first else { continue }
            for index in 0..<Int(messages[slot].count) {
                let byteCount = Int(max(0, first[index].byteCount))
                words += 3 + (byteCount + 7) / 8
            }
        }
        return words
    }

    @_noLocks
    fileprivate mutating func putMessages(_ engineCall: UnsafePointer<RTEngineCall>?) {
        guard let engineCall, let messages = engineCall.pointee.messages else { return }
        for slot in 0..<Int(engineCall.pointee.inputCount) {
            guard let first = messages[slot].first else { continue }
            for index in 0..<Int(messages[slot].count) {
                let message = first[index]
                let byteCount = Int(max(0, message.byteCount))
                writer.begin(.message, 2 + (byteCount + 7) / 8)
                let frame = message.frame &- messages[slot].startFrame
                writer.put(UInt64(slot) | UInt64(UInt32(bitPattern: frame)) << 32)
                writer.put(UInt64(byteCount))
                writer.put(message.bytes, byteCount)
            }
        }
    }

    @_noLocks
    fileprivate mutating func put(_ transport: RTTransport) {
        writer.put(UInt64(bitPattern: transport.frame))
        writer.put(UInt64(bitPattern: transport.bar))
        writer.put(Double(transport.barBeat).bitPattern)
        writer.put(Double(transport.beatsPerBar).bitPattern)
        writer.put(Double(transport.beatsPerMinute).bitPattern)
        writer.put(
            (transport.isRolling ? 1 : 0) | (transport.hasBeats ? 2 : 0)
                | UInt64(UInt32(bitPattern: transport.beatUnit)) << 32)
    }
}
