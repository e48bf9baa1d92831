internal import CRealtime

/// Sends a MIDI clock: 24 ticks per beat, and the start, stop and position of the transport.
///
/// Each tick is at the first frame at or after its time.
struct ClockSender: BitwiseCopyable {
    private static var ticksPerQuarter: Double { @_noLocks get { 24 } }
    /// The most ticks in a piece; a faster transport has no clock.
    private static var mostTicks: Int { @_noLocks get { 512 } }
    /// The longest distance of two pieces that are not a jump of the transport, in ticks.
    private static var toleranceTicks: Double { @_noLocks get { 0.5 } }

    /// The number of the next tick, counted from the beginning of the song.
    private var nextTick = 0.0
    /// The position at which this piece should begin, in ticks.
    private var expectedTicks = 0.0
    private var isRolling = false
    /// Whether a start or a continuation goes out before the next tick.
    private var isStartPending = false

    /// Adds the clock of a piece to its output.
    ///
    /// - Parameters:
    ///   - time: The transport at the start of the piece.
    ///   - frames: The number of frames in the piece.
    ///   - sampleRate: In Hz.
    ///   - slots: The engine slots of the outputs that send the clock.
    ///   - slotCount: The number of these outputs.
    ///   - merge: Receives the messages.
    @_noLocks
    mutating func run(
        _ time: RTTransport, frames: Int, sampleRate: Double, _ slots: UnsafePointer<Int32>,
        _ slotCount: Int, into merge: inout MessageMerge
    ) {
        guard slotCount > 0 else { return }
        let quartersPerBeat = 4 / Double(max(1, time.beatUnit))
        let ticksPerBeat = Self.ticksPerQuarter * quartersPerBeat
        let start = (Double(time.bar) * time.beatsPerBar + time.barBeat) * ticksPerBeat
        let ticksPerFrame = time.beatsPerMinute * ticksPerBeat / (60 * sampleRate)
        guard time.isRolling, start >= 0, start < 1e12, ticksPerFrame > 0,
            ticksPerFrame * Double(frames) < Double(Self.mostTicks)
        else {
            if isRolling { send(0xFC, 0, 0, 1, at: 0, slots, slotCount, &merge) }
            isRolling = false
            return
        }
        if !isRolling || abs(start - expectedTicks) > Self.toleranceTicks {
            if isRolling { send(0xFC, 0, 0, 1, at: 0, slots, slotCount, &merge) }
            // A receiver starts only at a sixteenth note.
            nextTick = 6 * -rt_floor(-start / 6)
            isStartPending = true
            isRolling = true
            sendPosition(slots, slotCount, &merge)
        }
        expectedTicks = start + ticksPerFrame * Double(frames)
        while nextTick < expectedTicks {
            let exact = (nextTick - start) / ticksPerFrame
            // The product of rounded factors may be a little above a whole number.
            let frame = Int32(max(0, -rt_floor(1e-6 - exact)))
            guard Int(frame) < frames else { return }
            if isStartPending {
                send(nextTick == 0 ? 0xFA : 0xFB, 0, 0, 1, at: frame, slots, slotCount, &merge)
                isStartPending = false
            }
            send(0xF8, 0, 0, 1, at: frame, slots, slotCount, &merge)
            nextTick += 1
        }
    }

    @_noLocks
    private func sendPosition(
        _ slots: UnsafePointer<Int32>, _ slotCount: Int, _ merge: inout MessageMerge
    ) {
        guard nextTick > 0 else { return }
        // The largest position that a message can carry is 16,383 sixteenth notes.
        let sixteenths = Int(min(nextTick / 6, 16383))
        send(
            0xF2, UInt8(sixteenths & 127), UInt8(sixteenths >> 7), 3, at: 0, slots, slotCount,
            &merge)
    }

    @_noLocks
    private func send(
        _ status: UInt8, _ first: UInt8, _ second: UInt8, _ byteCount: Int32, at frame: Int32,
        _ slots: UnsafePointer<Int32>, _ slotCount: Int, _ merge: inout MessageMerge
    ) {
        for index in 0..<slotCount {
            merge.add(
                status, first, second, byteCount: byteCount, slot: slots[index], frame: frame)
        }
    }
}
