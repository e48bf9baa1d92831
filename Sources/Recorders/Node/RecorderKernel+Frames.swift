internal import CRealtime
internal import Realtime
internal import Synchronization

/// Stores frames for the disk.
extension RecorderKernel {
    /// Whether frames may be waiting for the disk.
    var isPending: Bool {
        @_noLocks get {
            isWriting || exchange.pointee.doneFrames.load(ordering: .acquiring) < lastStop
        }
    }

    private var freeFrames: Int {
        @_noLocks get {
            let capacity = exchange.pointee.capacityFrames
            guard isPending else { return capacity }
            let done = exchange.pointee.doneFrames.load(ordering: .acquiring)
            return capacity - (now - max(done, heldFrom))
        }
    }

    /// Stores a block if it is recorded or may belong to a later take.
    @_noLocks
    mutating func keep(_ block: RTBlock) {
        let count = Int(block.frameCount)
        guard isWriting || limits.preRollFrames > 0 || isRecording && limits.threshold != nil else {
            historyStart = now + count
            return
        }
        // After a loss, wait for some room, so that a slow disk causes one long gap and not many
        // short ones.
        let wanted = isLosing ? count + exchange.pointee.capacityFrames / 4 : count
        guard freeFrames >= wanted else { return lose(count) }
        if isLosing { push(.found, at: now) }
        isLosing = false
        store(block)
        historyStart = max(historyStart, now + count - exchange.pointee.capacityFrames)
    }

    @_noLocks
    private mutating func lose(_ count: Int) {
        historyStart = now + count
        guard isWriting else { return }
        if !isLosing { push(.lost, at: now) }
        isLosing = true
        lostFrames += count
    }

    @_noLocks
    private func store(_ block: RTBlock) {
        var first = 0
        while first < Int(block.frameCount) {
            let piece = exchange.pointee.piece(
                from: now + first, count: Int(block.frameCount) - first)
            for channel in 0..<channelCount {
                rt_copy(
                    exchange.pointee.samples + channel * exchange.pointee.capacityFrames
                        + piece.place,
                    block.inputs[channel] + first, Int64(piece.count))
            }
            first += piece.count
        }
    }
}
