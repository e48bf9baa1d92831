/// An attack that was lifted out of the input.
struct LiftedAttack: BitwiseCopyable {
    /// The input's frame where it starts; its waveform starts a fade before.
    var placeFrame = 0
    /// Whether the vocoder reads the input without it.
    var isLifted = false
    /// Whether it has its place on the output, or needs none.
    var isLaid = true
    /// Where its waveform starts on the output.
    var outputFrame = 0

    /// Whether nobody needs it any more.
    var isFree: Bool { @_noLocks get { !isLifted && isLaid && outputFrame == .min } }
}

/// Room for the attacks that are near: their waveforms in each channel, and their share of each frequency.
///
/// It owns its memory without freeing it: whoever made it calls `deallocate`.
struct AttackSlots: BitwiseCopyable {
    // SAFETY: the places live from `init` through `deallocate`, which the owner calls at its own end.
    let attacks: UnsafeMutablePointer<LiftedAttack>
    private let waveforms: UnsafeMutablePointer<Float>
    private let shares: UnsafeMutablePointer<Float>
    private let lengths: StretchLengths
    private let channelCount: Int
    private let shareStride: Int

    /// As many as can be near at once, at rates up to 4.
    static var count: Int { @_noLocks get { 16 } }

    init(lengths: StretchLengths, channelCount: Int) {
        self.lengths = lengths
        self.channelCount = channelCount
        shareStride = lengths.attackTransformFrames / 2 + 8
        attacks = .allocate(capacity: AttackSlots.count)
        attacks.initialize(
            repeating: LiftedAttack(outputFrame: .min), count: AttackSlots.count)
        waveforms = .allocate(
            capacity: AttackSlots.count * channelCount * lengths.attackFrames)
        waveforms.initialize(
            repeating: 0, count: AttackSlots.count * channelCount * lengths.attackFrames)
        shares = .allocate(capacity: AttackSlots.count * shareStride)
        shares.initialize(repeating: 0, count: AttackSlots.count * shareStride)
    }

    func deallocate() {
        attacks.deallocate()
        waveforms.deallocate()
        shares.deallocate()
    }

    @_noLocks
    func reset() {
        for slot in 0..<AttackSlots.count { attacks[slot] = LiftedAttack(outputFrame: .min) }
    }

    @_noLocks
    func waveform(_ slot: Int, channel: Int) -> UnsafeMutablePointer<Float> {
        waveforms + (slot * channelCount + channel) * lengths.attackFrames
    }

    /// The share of an attack at each frequency of its own transform.
    @_noLocks
    func share(_ slot: Int) -> UnsafeMutablePointer<Float> { shares + slot * shareStride }

    /// A slot that may be used, -1 where there is none.
    @_noLocks
    func freeSlot() -> Int {
        for slot in 0..<AttackSlots.count where attacks[slot].isFree { return slot }
        return -1
    }

    /// Whether an attack is lifted already, or about to be.
    @_noLocks
    func holds(_ placeFrame: Int) -> Bool {
        for slot in 0..<AttackSlots.count
        where attacks[slot].placeFrame == placeFrame
            && (attacks[slot].isLifted || !attacks[slot].isLaid)
        {
            return true
        }
        return false
    }

    /// Takes the attacks out of frames of the input.
    @_noLocks
    func subtract(
        from samples: UnsafeMutablePointer<Float>, channel: Int, start: Int, count: Int
    ) {
        for slot in 0..<AttackSlots.count where attacks[slot].isLifted {
            let begin = attacks[slot].placeFrame - lengths.fadeInFrames
            let (first, end) = (
                max(begin, start), min(begin + lengths.attackFrames, start + count)
            )
            guard first < end else { continue }
            let wave = waveform(slot, channel: channel)
            for frame in first..<end { samples[frame - start] -= wave[frame - begin] }
        }
    }

    /// Adds what of the attacks falls on frames of the output.
    @_noLocks
    func add(to output: UnsafeMutablePointer<Float>, channel: Int, start: Int, count: Int) {
        for slot in 0..<AttackSlots.count
        where attacks[slot].isLaid && attacks[slot].outputFrame != .min {
            let begin = attacks[slot].outputFrame
            let (first, end) = (
                max(begin, start), min(begin + lengths.attackFrames, start + count)
            )
            guard first < end else { continue }
            let wave = waveform(slot, channel: channel)
            for frame in first..<end { output[frame - start] += wave[frame - begin] }
        }
    }

    /// Gives every attack its place on the output that lies before a frame of the input.
    ///
    /// - Parameters:
    ///   - inputFrame: Under the centre of the frame that was just laid.
    ///   - outputFrame: Where that centre lies.
    ///   - advanceFrames: How far the next centre is on the input, for a hop on the output.
    @_noLocks
    func lay(inputFrame: Double, outputFrame: Int, advanceFrames: Double) {
        guard advanceFrames > 0 else { return }
        let hop = Double(lengths.hopFrames)
        for slot in 0..<AttackSlots.count where attacks[slot].isLifted && !attacks[slot].isLaid {
            let ahead = Double(attacks[slot].placeFrame) - inputFrame
            guard ahead < advanceFrames else { continue }
            let late = min(max(ahead * hop / advanceFrames, -hop), hop)
            attacks[slot].outputFrame =
                outputFrame + Int((late + hop + 0.5)) - lengths.hopFrames - lengths.fadeInFrames
            attacks[slot].isLaid = true
        }
    }

    /// Frees what no window reaches back to, and what has sounded.
    @_noLocks
    func forget(inputBefore: Int, outputBefore: Int) {
        for slot in 0..<AttackSlots.count {
            if attacks[slot].placeFrame + lengths.attackFrames < inputBefore {
                attacks[slot].isLifted = false
                attacks[slot].isLaid = true
            }
            if attacks[slot].isLaid,
                attacks[slot].outputFrame + lengths.attackFrames <= outputBefore
            {
                attacks[slot].outputFrame = .min
            }
        }
    }

    /// Lets the vocoder read the input as it is from now on; what is laid still sounds.
    @_noLocks
    func release() {
        for slot in 0..<AttackSlots.count {
            attacks[slot].isLifted = false
            attacks[slot].isLaid = true
        }
    }

    /// The attack whose place is nearest to a frame and within a reach of it, -1 where there is none.
    @_noLocks
    func nearest(to inputFrame: Double, reachFrames: Double) -> Int {
        for slot in 0..<AttackSlots.count where attacks[slot].isLifted {
            let ahead = Double(attacks[slot].placeFrame) - inputFrame
            if ahead >= -reachFrames, ahead < reachFrames { return slot }
        }
        return -1
    }
}
