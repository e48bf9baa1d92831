internal import CRealtime
internal import Realtime
internal import Synchronization

/// Starts, pauses and ends takes.
extension RecorderKernel {
    /// The marks that a take can need before the disk's side runs again, including lost frames.
    private static var reservedMarks: Int { @_noLocks get { 16 } }

    /// Applies the parameters `recording` and `take`.
    @_noLocks
    mutating func applyParameters() {
        if takeIsRequested, hasRoomForMarks {
            takeIsRequested = false
            if mayBeginTake {
                isSpent = false
                splitTake()
            } else {
                refuseTake()
            }
        }
        let wants = isRecording && !isSpent
        if isWriting, !wants { stop(at: now) }
        if !isWriting, wants, limits.threshold == nil { begin(at: now) }
        // The pre-roll alone can be as long as the maximum.
        endAtMaximum(before: now)
    }

    /// Ends the take; if it is being written, a new one starts with the next frame.
    @_noLocks
    private mutating func splitTake() {
        guard takeIsOpen else { return }
        let wasWriting = isWriting
        if wasWriting { stop(at: now) }
        finish()
        if wasWriting { begin(at: now) }
    }

    /// Starts writing, with the part of the pre-roll that is available and in no take yet.
    @_noLocks
    mutating func begin(at frame: Int) {
        guard hasRoomForMarks else { return }
        guard takeIsOpen || mayBeginTake else {
            if !waitsForAllowance { refuseTake() }
            waitsForAllowance = true
            return
        }
        waitsForAllowance = false
        let start = max(frame - limits.preRollFrames, max(historyStart, lastStop))
        if !isPending { heldFrom = start }
        push(.start, at: start)
        isWriting = true
        isLosing = false
        segmentStart = start
        guard !takeIsOpen else { return }
        takeIsOpen = true
        take += 1
        takeFrames = 0
        lostFrames = 0
        isInvalid = false
    }

    @_noLocks
    mutating func stop(at frame: Int) {
        // After lost frames, the start of the take may lie after `frame`.
        let end = max(frame, segmentStart)
        push(.stop, at: end)
        isWriting = false
        isLosing = false
        takeFrames += end - segmentStart
        lastStop = end
    }

    @_noLocks
    mutating func finish() {
        push(.finish, at: lastStop)
        takeIsOpen = false
    }

    /// Whether another take may start; `false` for a moment if too many have started recently.
    private var mayBeginTake: Bool {
        @_noLocks get { take < exchange.pointee.allowedTakes.load(ordering: .acquiring) }
    }

    @_noLocks
    private func refuseTake() { exchange.pointee.refusedTakes.add(1, ordering: .releasing) }

    /// The frame at which the take reaches its maximum length.
    private var maximumEnd: Int {
        @_noLocks get { segmentStart + limits.maximumFrames - takeFrames }
    }

    @_noLocks
    mutating func endAtMaximum(before end: Int) {
        guard isWriting, maximumEnd <= end else { return }
        stop(at: maximumEnd)
        finish()
        isSpent = true
    }

    /// Starts when the level exceeds the threshold; pauses when it stays below for the hold time.
    @_noLocks
    mutating func applyThreshold(of block: RTBlock) {
        guard let threshold = limits.threshold else { return }
        for frame in 0..<Int(block.frameCount) {
            let isLoud = exceeds(threshold, block, frame)
            if isLoud { quietSince = now + frame + 1 }
            if isWriting {
                endAtMaximum(before: now + frame)
                if isWriting, now + frame - quietSince >= limits.holdFrames {
                    stop(at: now + frame)
                }
            } else if isLoud, isRecording, !isSpent {
                begin(at: now + frame)
            }
        }
        endAtMaximum(before: now + Int(block.frameCount))
    }

    @_noLocks
    private func exceeds(_ threshold: Float, _ block: RTBlock, _ frame: Int) -> Bool {
        for channel in 0..<channelCount where abs(block.inputs[channel][frame]) > threshold {
            return true
        }
        return false
    }

    @_noLocks
    func waitingMarks() -> Int {
        marksPushed - exchange.pointee.handledMarks.load(ordering: .acquiring)
    }

    private var hasRoomForMarks: Bool {
        @_noLocks get { TakeExchange.markCapacity - waitingMarks() >= Self.reservedMarks }
    }

    /// Sends a mark to the disk's side; each take starts only if enough marks are free for it.
    @_noLocks
    mutating func push(_ kind: TakeMark.Kind, at frame: Int) {
        if marks.push(TakeMark(kind: kind, frame: frame)) { marksPushed += 1 }
    }
}
