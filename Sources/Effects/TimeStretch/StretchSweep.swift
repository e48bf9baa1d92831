internal import DSP
internal import Realtime

/// The order in which a time stretch notes its captured sound for a replay: first the frames near
/// the position of the engine, then the attacks and turns, and then all frames that are left.
struct StretchSweep: BitwiseCopyable {
    private enum Stage: BitwiseCopyable { case idle, near, arrays, all }

    private var stage = Stage.idle
    /// The frames to note: the input before the sweep began, back to the first frame that is read.
    private var firstFrame = 0
    private var endFrame = 0
    /// The end of the frames near the position of the engine.
    private var nearEndFrame = 0
    /// The next frame, and the next channel of that frame.
    private var frame = 0
    private var channel = 0
    /// The next array, and the next number of that array.
    private var array = 0
    private var offset = 0

    /// The number of windows of input that pass soon without notes.
    private static var passingWindows: Int { @_noLocks get { 4 } }

    /// Returns the next part.
    ///
    /// - Parameters:
    ///   - ring: The input.
    ///   - engine: The engine that reads it.
    ///   - isLooping: Whether the ring plays as a loop.
    ///   - windowFrames: The length of the longest window.
    /// - Returns: A part; `nil` at the end of a round, and if the engine reads only new input.
    @_noLocks
    mutating func next(
        _ ring: borrowing CaptureRing, _ engine: borrowing StretchEngine, isLooping: Bool,
        windowFrames: Int
    ) -> SoundPart? {
        if stage == .idle {
            begin(
                ring, position: Int(engine.inputFrame), isLooping: isLooping,
                windowFrames: windowFrames)
        }
        guard stage != .idle else { return nil }
        if stage == .near {
            if let part = nextFrames(ring, before: nearEndFrame) { return part }
            stage = .arrays
        }
        if stage == .arrays {
            if let part = nextNumbers(ring, engine) { return part }
            (stage, frame, channel) = (.all, firstFrame, 0)
        }
        if let part = nextFrames(ring, before: endFrame) { return part }
        self = StretchSweep()
        return nil
    }

    /// Begins a round if the engine reads sound that does not pass soon.
    @_noLocks
    private mutating func begin(
        _ ring: borrowing CaptureRing, position: Int, isLooping: Bool, windowFrames: Int
    ) {
        let (first, end) = (ring.firstFrame, ring.writtenFrames)
        guard isLooping || end - position > StretchSweep.passingWindows * windowFrames else {
            return
        }
        stage = .near
        frame = max(first, position - windowFrames)
        firstFrame = isLooping ? first : frame
        endFrame = end
        nearEndFrame = min(position + 2 * windowFrames, end)
    }

    /// Returns the next frames of a channel; `nil` at the end.
    @_noLocks
    private mutating func nextFrames(
        _ ring: borrowing CaptureRing, before end: Int
    ) -> SoundPart? {
        if frame < ring.firstFrame { (frame, channel) = (ring.firstFrame, 0) }
        let count = min(end, ring.writtenFrames) - frame
        guard count > 0 else { return nil }
        let piece = ring.piece(channel, from: frame, count: min(count, SoundPart.capacity))
        let address = StretchAddress(
            isArray: false, index: channel, offset: ring.writtenFrames - frame,
            writtenFrames: ring.writtenFrames)
        channel += 1
        if channel == ring.channelCount { (frame, channel) = (frame + piece.count, 0) }
        return address.part(piece.start, count: piece.count)
    }

    /// Returns the next numbers of the engine's arrays; `nil` at the end.
    @_noLocks
    private mutating func nextNumbers(
        _ ring: borrowing CaptureRing, _ engine: borrowing StretchEngine
    ) -> SoundPart? {
        while array < engine.soundArrayCount {
            let numbers = engine.soundArray(array)
            if offset < numbers.count {
                let (first, count) = (offset, min(numbers.count - offset, SoundPart.capacity))
                offset += count
                return StretchAddress(
                    isArray: true, index: array, offset: first,
                    writtenFrames: ring.writtenFrames
                ).part(UnsafePointer(numbers.start + first), count: count)
            }
            (array, offset) = (engine.nextSoundArray(after: array), 0)
        }
        return nil
    }
}

/// The address of a part of a time stretch's sound.
struct StretchAddress: BitwiseCopyable {
    /// Whether the part belongs to an array of the engine; otherwise it is captured input.
    let isArray: Bool
    /// The index of the array or the channel.
    let index: Int
    /// The index in the array, or the distance back from the next frame to be captured.
    let offset: Int
    /// The number of frames captured so far.
    let writtenFrames: UInt64

    private static var offsetBits: UInt64 { @_noLocks get { 48 } }
    private static var arrayFlag: UInt64 { @_noLocks get { 0x8000_0000_0000_0000 } }

    @_noLocks
    init(isArray: Bool, index: Int, offset: Int, writtenFrames: Int) {
        (self.isArray, self.index) = (isArray, index)
        (self.offset, self.writtenFrames) = (offset, UInt64(writtenFrames))
    }

    /// Reads the address of a part, which can come from anyone: `index` is from 0 through 32,767 and
    /// `offset` from 0 through 2^48 - 1.
    init(_ part: SoundPart) {
        isArray = part.address & Self.arrayFlag != 0
        index = Int((part.address & ~Self.arrayFlag) &>> Self.offsetBits)
        offset = Int(part.address & 0xFFFF_FFFF_FFFF)
        writtenFrames = part.secondAddress
    }

    /// Returns the part with this address.
    @_noLocks
    func part(_ start: UnsafePointer<Float>, count: Int) -> SoundPart {
        let flag = isArray ? StretchAddress.arrayFlag : 0
        let address = flag | UInt64(index) &<< StretchAddress.offsetBits | UInt64(offset)
        return SoundPart(address: address, secondAddress: writtenFrames, start: start, count: count)
    }
}
