internal import CRealtime
internal import Realtime
internal import Synchronization

/// When takes begin, rest and end.
extension RecorderKernel {
    /// So many marks a take may need before the disk's side comes round, with all that may be lost and found in the meantime.
    private static var reservedMarks: Int { @_noLocks get { 16 } }

    @_noLocks
    mutating func followWishes() {
        if takeIsAsked, hasRoomForMarks {
            takeIsAsked = false
            isSpent = false
            splitTake()
        }
        let wants = isRecording && !isSpent
        if isWriting, !wants { stop(at: now) }
        if !isWriting, wants, limits.threshold == nil { begin(at: now) }
        // The pre-roll alone may be as long as the take may be.
        endAtMaximum(before: now)
    }

    /// Ends the take; where it was being written, the next one begins with the very next frame.
    @_noLocks
    private mutating func splitTake() {
        guard takeIsOpen else { return }
        let goesOn = isWriting
        if goesOn { stop(at: now) }
        finish()
        if goesOn { begin(at: now) }
    }

    /// Starts writing, with the pre-roll before it as far as it is there and not in a take already.
    @_noLocks
    mutating func begin(at frame: Int) {
        guard hasRoomForMarks else { return }
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
        isFaulty = false
    }

    @_noLocks
    mutating func stop(at frame: Int) {
        // A take that waits for frames that were lost may not have begun yet.
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

    /// The frame at which the take is as long as it may be.
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

    /// Starts where the level exceeds the threshold, and rests where it was below it for the hold.
    @_noLocks
    mutating func followLevel(of block: RTBlock) {
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
    func waiting() -> Int { marksPushed - exchange.pointee.marksTaken.load(ordering: .acquiring) }

    private var hasRoomForMarks: Bool {
        @_noLocks get { TakeExchange.markCapacity - waiting() >= Self.reservedMarks }
    }

    /// Tells the disk's side; the reserve for each take is what makes room for it.
    @_noLocks
    mutating func push(_ kind: TakeMark.Kind, at frame: Int) {
        if marks.push(TakeMark(kind: kind, frame: frame)) { marksPushed += 1 }
    }
}
