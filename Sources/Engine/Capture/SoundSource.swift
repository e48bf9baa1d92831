internal import Processing
internal import Realtime

/// A processor of a schedule that keeps sound, such as a loop, and notes it in parts.
struct SoundSource: BitwiseCopyable {
    /// The index of the node in the schedule, and that of the processor in the node.
    let node: Int32
    let processor: Int32
    // SAFETY: the schedule keeps its processors alive, and they their kernels.
    let kernel: KernelReference
}

extension [NodeInstance] {
    /// The processors that keep sound and note it.
    var soundSources: [SoundSource] {
        enumerated().flatMap { node, instance in
            instance.processors.enumerated().compactMap { index, processor in
                processor.notesSound
                    ? SoundSource(
                        node: Int32(clamping: node), processor: Int32(clamping: index),
                        kernel: processor.kernel) : nil
            }
        }
    }
}

extension Schedule {
    /// Replaces a part of the sound that a processor keeps; between two calls of a replay.
    ///
    /// - Parameters:
    ///   - samples: The samples.
    ///   - address: The two words of their address.
    ///   - node: The index of the node, as it was noted.
    ///   - processor: The index of the processor in the node.
    public func give(
        sound samples: ArraySlice<Float>, at address: (UInt64, UInt64), toNode node: Int,
        processor: Int
    ) {
        guard instances.indices.contains(node),
            instances[node].processors.indices.contains(processor)
        else { return }
        let processor = instances[node].processors[processor]
        guard processor.notesSound else { return }
        samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            processor.kernel.restoreSound(
                SoundPart(
                    address: address.0, secondAddress: address.1, start: start, count: samples.count
                ))
        }
    }
}

/// The turns in which the processors of a schedule note the sound that they keep.
///
/// Each processor notes all of its sound, one part after the other. The parts take a fixed share of
/// the time and of the memory. If all sound was noted before the round has lasted long enough, the
/// next one waits.
struct SoundRound: BitwiseCopyable {
    /// The number of the schedule whose processors take turns.
    private var schedule = UInt64.max
    /// The index of the processor whose turn it is.
    private var index = 0
    /// The frames until the next part.
    private var waitFrames = 0
    /// The frames since the round began.
    private var passedFrames = 0
    /// Whether the round has had no part.
    private var isEmpty = true
    /// The shortest round, in frames.
    private let leastFrames: Int

    /// The frames between two parts per word of the first one: nearly two samples per frame, so a
    /// loop of two channels takes about as long as it plays.
    private static var framesPerWord: Int { @_noLocks get { 1 } }
    /// The frames after a round without a part: there may be a loop soon.
    private static var emptyFrames: Int { @_noLocks get { 16_384 } }

    /// Returns the number of words of the record of a part with a number of samples.
    @_noLocks
    static func words(samples count: Int) -> Int { 6 + (count + 1) / 2 }

    /// Creates turns of at least a number of frames for each round.
    init(leastFrames: Int) { self.leastFrames = leastFrames }

    /// Adds the frames of a call.
    @_noLocks
    mutating func advance(_ frames: Int) {
        waitFrames = max(waitFrames, 0) - frames
        passedFrames += frames
    }

    /// Whether there is time for a part.
    var isDue: Bool { @_noLocks get { waitFrames <= 0 } }

    /// Returns the next part; `nil` if no processor has one now.
    @_noLocks
    mutating func next(_ core: UnsafeMutablePointer<ScheduleCore>) -> SoundPart? {
        if schedule != core.pointee.number {
            // Most processors remain at their places.
            schedule = core.pointee.number
            index = index < core.pointee.soundCount ? index : 0
        }
        for _ in 0..<core.pointee.soundCount {
            if let part = core.pointee.sounds[index].kernel.nextSoundPart() {
                guard part.count > 0 else {
                    waitFrames = max(waitFrames, 1)
                    return nil
                }
                waitFrames += SoundRound.words(samples: part.count) * SoundRound.framesPerWord
                isEmpty = false
                return part
            }
            index += 1
            guard index == core.pointee.soundCount else { continue }
            let restFrames = max(1, leastFrames - passedFrames)
            waitFrames = isEmpty ? min(restFrames, SoundRound.emptyFrames) : restFrames
            (index, passedFrames, isEmpty) = (0, -waitFrames, true)
            return nil
        }
        return nil
    }

    /// The processor whose part `next` has returned.
    @_noLocks
    func source(_ core: UnsafeMutablePointer<ScheduleCore>) -> SoundSource {
        core.pointee.sounds[index]
    }
}
