internal import Realtime
internal import Synchronization

/// What the audio thread and the disk's side of one recorder share.
///
/// The audio thread writes every frame that may be wanted, over the oldest where none waits for the disk. So the frames of the
/// pre-roll are there once somebody asks for them.
struct TakeExchange: ~Copyable {
    // SAFETY: frames are written before the release of `writtenFrames`, and read after the acquire of it; those that marks ask for
    // are written over only after the acquire of `doneFrames`.

    /// Channel behind channel, `capacityFrames` each; frame n stands at n modulo that.
    let samples: UnsafeMutablePointer<Float>
    let channelCount: Int
    let capacityFrames: Int
    /// Ends of the ring of marks, which the disk's side owns.
    let marks: Ring<TakeMark>

    /// How many frames the audio thread has seen.
    let writtenFrames = Atomic<Int>(0)
    /// Up to where the disk's side has taken what it was asked to.
    let doneFrames = Atomic<Int>(0)
    /// How many marks the disk's side has acted on.
    let marksTaken = Atomic<Int>(0)
    /// The last take, counted from 1, that could not be written; 0 before there is one.
    let failedTake = Atomic<Int>(0)

    /// Of the take: how many frames are in its file.
    let recordedFrames = Atomic<Int>(0)
    /// How many takes were begun.
    let takeCount = Atomic<Int>(0)
    /// Of the take: peak and RMS in dB, as bits of `Float`s.
    let peak = Atomic<UInt32>(TakeLevels.floorDecibels.bitPattern)
    let rms = Atomic<UInt32>(TakeLevels.floorDecibels.bitPattern)

    /// How many marks may wait.
    static var markCapacity: Int { @_noLocks get { 256 } }

    init(channelCount: Int, capacityFrames: Int) {
        self.channelCount = channelCount
        self.capacityFrames = capacityFrames
        marks = Ring(capacity: TakeExchange.markCapacity)
        samples = .allocate(capacity: max(1, channelCount) * capacityFrames)
        samples.initialize(repeating: 0, count: max(1, channelCount) * capacityFrames)
    }

    deinit { samples.deallocate() }

    /// The next frames from one on that lie in one piece: where they begin within a channel, and how many, at most `count`.
    @_noLocks
    func piece(from frame: Int, count: Int) -> (place: Int, count: Int) {
        let place = frame % capacityFrames
        return (place, min(count, capacityFrames - place))
    }
}
