internal import DSP
internal import Processing
internal import Realtime
internal import Synchronization

/// The frames and counters that the audio thread and the disk's side of a recorder share.
///
/// The audio thread stores every frame that may be needed, and overwrites the oldest frames that
/// are not waiting for the disk. The frames of the pre-roll are therefore available when a take
/// starts.
struct TakeExchange: ~Copyable {
    // SAFETY: frames are written before the release of `writtenFrames`, and read after its acquire.
    // Frames of a take are overwritten only after the acquire of `doneFrames`.

    /// The channels one after the other, `capacityFrames` each; frame n is at n modulo that.
    let samples: UnsafeMutablePointer<Float>
    let channelCount: Int
    let capacityFrames: Int
    /// The ring of marks; the disk's side owns it.
    let marks: Ring<TakeMark>

    /// The number of frames that the audio thread has seen.
    let writtenFrames = Atomic<Int>(0)
    /// The frame up to which the disk's side has processed its marks.
    let doneFrames = Atomic<Int>(0)
    /// The number of marks that the disk's side has processed.
    let handledMarks = Atomic<Int>(0)
    /// The number of takes that are allowed so far; the audio thread starts no further one.
    let allowedTakes = Atomic<Int>(.max)
    /// How often the audio thread did not start a take because of that limit.
    let refusedTakes = Atomic<Int>(0)
    /// The number of the last take that could not be written, from 1; 0 if all could be written.
    let failedTake = Atomic<Int>(0)

    /// The number of frames in the file of the current take.
    let recordedFrames = Atomic<Int>(0)
    /// The number of takes that have started.
    let takeCount = Atomic<Int>(0)
    /// The peak and the RMS of the take in dB, as bit patterns of `Float`.
    let peak = Atomic<UInt32>(TakeLevels.floorDecibels.bitPattern)
    let rms = Atomic<UInt32>(TakeLevels.floorDecibels.bitPattern)

    /// The capacity of the ring of marks.
    static var markCapacity: Int { @_noLocks get { 256 } }

    /// Creates an exchange that takes ownership of `sampleCount` samples.
    init(_ samples: UnsafeMutablePointer<Float>, channelCount: Int, capacityFrames: Int) {
        self.samples = samples
        self.channelCount = channelCount
        self.capacityFrames = capacityFrames
        marks = Ring(capacity: TakeExchange.markCapacity)
    }

    /// Returns the number of samples in an exchange.
    static func sampleCount(channelCount: Int, capacityFrames: Int) -> Int {
        max(1, channelCount).multipliedClamped(by: capacityFrames)
    }

    deinit { SampleMemory.free(samples) }

    /// Returns the index of a frame in a channel, and how many contiguous frames follow, at most
    /// `count`.
    @_noLocks
    func piece(from frame: Int, count: Int) -> (index: Int, count: Int) {
        let index = frame % capacityFrames
        return (index, min(count, capacityFrames - index))
    }
}
