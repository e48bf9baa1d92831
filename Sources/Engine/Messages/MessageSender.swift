internal import CRealtime

/// Sends the MIDI messages of songs and scenes at their frames, and ends the notes that they start.
///
/// At most `budgetBytes` bytes go out per call of the engine; the rest follows in the next calls, in
/// order.
struct MessageSender: BitwiseCopyable {
    /// The maximum number of bytes per call of the engine.
    private static var budgetBytes: Int { @_noLocks get { 1024 } }

    private var queue: MessageQueue
    private var notes: HeldNotes
    private var budget = 0
    /// Whether messages wait until the outputs fade in, because nothing is connected before.
    private(set) var isWaiting = false
    /// Whether a song has started: an engine that renders offline starts none and sends nothing.
    private(set) var hasStarted = false
    /// The number of messages that found no room.
    private(set) var droppedCount: Int32 = 0

    init(arena: Arena) {
        queue = MessageQueue(arena: arena)
        notes = HeldNotes(arena: arena)
    }

    /// Keeps all messages until `endWait`.
    @_noLocks
    mutating func beginWait() { isWaiting = true }

    @_noLocks
    mutating func endWait() { isWaiting = false }

    // MARK: Messages

    /// Starts a song: ends all notes of the previous one, then sends the messages of the song and of
    /// its first scene.
    @_noLocks
    mutating func startSong(_ lists: MessageLists, scene: Int, dueFrame: UInt64) {
        hasStarted = true
        endNotes(dueFrame: dueFrame)
        send(lists.song, dueFrame: dueFrame)
        startScene(lists, scene, dueFrame: dueFrame)
    }

    /// Sends the messages of a scene.
    @_noLocks
    mutating func startScene(_ lists: MessageLists, _ index: Int, dueFrame: UInt64) {
        if hasStarted, let list = lists.scene(index) { send(list, dueFrame: dueFrame) }
    }

    /// Ends all notes, behind the messages that wait.
    @_noLocks
    mutating func endNotes(dueFrame: UInt64) {
        if !queue.push(slot: -1, nil, byteCount: 0, noteFrames: 0, dueFrame: dueFrame) {
            droppedCount &+= 1
        }
    }

    @_noLocks
    private mutating func send(_ list: MessageLists.List, dueFrame: UInt64) {
        for index in 0..<list.count {
            let entry = list.first[index]
            let hasRoom = queue.push(
                slot: entry.slot, entry.bytes, byteCount: entry.byteCount,
                noteFrames: entry.noteFrames, dueFrame: dueFrame)
            if !hasRoom { droppedCount &+= 1 }
        }
    }

    // MARK: Pieces

    /// Starts a call of the engine.
    @_noLocks
    mutating func beginCall() { budget = Self.budgetBytes }

    /// Adds the messages of a piece to its output.
    ///
    /// - Parameters:
    ///   - start: The engine's frame at the start of the piece.
    ///   - frames: The number of frames in the piece, at least 1.
    ///   - merge: Receives the messages.
    @_noLocks
    mutating func run(from start: UInt64, frames: Int, into merge: inout MessageMerge) {
        let end = start &+ UInt64(frames)
        var earliest: Int32 = 0
        while !isWaiting, let entry = queue.first, entry.dueFrame < end {
            let cost = entry.slot < 0 ? 3 * notes.count : Int(entry.byteCount)
            guard cost <= budget else { break }
            budget -= cost
            if entry.dueFrame > start {
                earliest = max(earliest, Int32(truncatingIfNeeded: entry.dueFrame &- start))
            }
            send(entry, at: earliest, from: start, &merge)
            queue.removeFirst()
        }
        while let note = notes.removeEnded(before: end) {
            let frame = note.endFrame > start ? note.endFrame &- start : 0
            merge.end(note, frame: Int32(truncatingIfNeeded: frame))
        }
    }

    @_noLocks
    private mutating func send(
        _ entry: MessageQueue.Entry, at frame: Int32, from start: UInt64,
        _ merge: inout MessageMerge
    ) {
        guard entry.slot >= 0 else {
            while let note = notes.removeAny() { merge.end(note, frame: frame) }
            return
        }
        let kind = entry.bytes[0] & 0xF0
        if entry.byteCount == 3, kind == 0x90 || kind == 0x80 {
            let (channel, number) = (entry.bytes[0] & 0x0F, entry.bytes[1])
            let held = notes.remove(slot: entry.slot, channel: channel, number: number)
            if kind == 0x90 {
                // A note that starts again ends first, so that each start has an end.
                if let held {
                    let end = held.endFrame > start ? held.endFrame &- start : 0
                    let ended = end < UInt64(frame) ? Int32(truncatingIfNeeded: end) : frame
                    merge.end(held, frame: ended)
                }
                guard !notes.isFull else {
                    droppedCount &+= 1
                    return
                }
                let first = start &+ UInt64(frame)
                notes.insert(
                    .init(
                        slot: entry.slot, channel: channel, number: number,
                        endFrame: entry.noteFrames > 0 ? first &+ entry.noteFrames : .max))
            }
        }
        merge.add(entry.bytes, byteCount: entry.byteCount, slot: entry.slot, frame: frame)
    }
}

extension MessageMerge {
    @_noLocks
    fileprivate mutating func end(_ note: HeldNotes.Note, frame: Int32) {
        add(0x80 | note.channel, note.number, 0, slot: note.slot, frame: frame)
    }
}
