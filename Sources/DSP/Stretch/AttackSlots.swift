internal import Realtime

/// An attack that was lifted out of the input.
struct LiftedAttack: BitwiseCopyable {
    /// The input frame at which the attack starts; its waveform starts one fade-in earlier.
    var inputFrame = 0
    /// Whether the vocoder reads the input without the attack.
    var isLifted = false
    /// Whether the attack has its position on the output, or needs none.
    var hasPosition = true
    /// The output frame at which the waveform starts.
    var outputFrame = 0

    /// Whether the slot is no longer needed.
    var isFree: Bool { @_noLocks get { !isLifted && hasPosition && outputFrame == .min } }
}

/// Storage for the nearby attacks: their waveforms in each channel, and their share of each
/// frequency.
struct AttackSlots: ~Copyable {
    let attacks: Buffer<LiftedAttack>
    private let waveforms: Buffer<Float>
    private let shares: Buffer<Float>
    private let lengths: StretchLengths
    private let channelCount: Int
    private let shareStride: Int

    /// The maximum number of attacks that can be near at once, at rates up to 4.
    static var count: Int { @_noLocks get { 16 } }

    init(lengths: StretchLengths, channelCount: Int) {
        self.lengths = lengths
        self.channelCount = channelCount
        shareStride = lengths.attackTransformFrames / 2 + 8
        attacks = Buffer(
            count: AttackSlots.count, repeating: LiftedAttack(outputFrame: .min))
        waveforms = Buffer(
            count: AttackSlots.count * channelCount * lengths.attackFrames, repeating: 0)
        shares = Buffer(count: AttackSlots.count * shareStride, repeating: 0)
    }

    @_noLocks
    func reset() {
        attacks.fill(with: LiftedAttack(outputFrame: .min))
    }

    /// The number of words of `note`.
    static var noteWords: Int { 3 * count }

    /// Writes the positions of the attacks.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        for slot in 0..<AttackSlots.count {
            let attack = attacks[slot]
            notes.pointee.put(attack.inputFrame)
            notes.pointee.put((attack.isLifted ? 1 : 0) + (attack.hasPosition ? 2 : 0))
            notes.pointee.put(attack.outputFrame)
        }
    }

    /// Continues with noted positions; their waveforms are those of the slots.
    @_noLocks
    func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        let most = StretchEngine.mostFrames
        for slot in 0..<AttackSlots.count {
            let inputFrame = notes.pointee.pop(from: -most, through: most)
            let flags = notes.pointee.pop(from: 0, through: 3)
            let word = Int(Int64(bitPattern: notes.pointee.pop()))
            attacks[slot] = LiftedAttack(
                inputFrame: inputFrame, isLifted: flags & 1 != 0, hasPosition: flags & 2 != 0,
                outputFrame: word >= -most && word <= most ? word : .min)
        }
    }

    /// Returns an array of a slot: the waveform in a channel, or after those of all channels the
    /// share of each frequency.
    @_noLocks
    func array(_ slot: Int, row: Int) -> (start: UnsafeMutablePointer<Float>, count: Int) {
        if row < channelCount { return (waveform(slot, channel: row), lengths.attackFrames) }
        return (share(slot), lengths.attackTransformFrames / 2 + 1)
    }

    /// Whether the attack of a slot was lifted, and is read or sounds.
    @_noLocks
    func isInUse(_ slot: Int) -> Bool {
        attacks[slot].isLifted || attacks[slot].hasPosition && attacks[slot].outputFrame != .min
    }

    @_noLocks
    func waveform(_ slot: Int, channel: Int) -> UnsafeMutablePointer<Float> {
        waveforms.start + (slot * channelCount + channel) * lengths.attackFrames
    }

    /// Returns the share of the attack at each frequency of the attack's transform.
    @_noLocks
    func share(_ slot: Int) -> UnsafeMutablePointer<Float> {
        shares.start + slot * shareStride
    }

    /// Returns a free slot, or -1 if all are in use.
    @_noLocks
    func freeSlot() -> Int {
        for slot in 0..<AttackSlots.count where attacks[slot].isFree { return slot }
        return -1
    }

    /// Returns whether an attack is already lifted or being lifted.
    @_noLocks
    func holds(_ inputFrame: Int) -> Bool {
        for slot in 0..<AttackSlots.count
        where attacks[slot].inputFrame == inputFrame
            && (attacks[slot].isLifted || !attacks[slot].hasPosition)
        {
            return true
        }
        return false
    }

    /// Subtracts the attacks from frames of the input.
    @_noLocks
    func subtract(
        from samples: UnsafeMutablePointer<Float>, channel: Int, start: Int, count: Int
    ) {
        for slot in 0..<AttackSlots.count where attacks[slot].isLifted {
            let begin = attacks[slot].inputFrame - lengths.fadeInFrames
            let (first, end) = (
                max(begin, start), min(begin + lengths.attackFrames, start + count)
            )
            guard first < end else { continue }
            let wave = waveform(slot, channel: channel)
            for frame in first..<end { samples[frame - start] -= wave[frame - begin] }
        }
    }

    /// Adds the parts of the attacks that fall on frames of the output.
    @_noLocks
    func add(to output: UnsafeMutablePointer<Float>, channel: Int, start: Int, count: Int) {
        for slot in 0..<AttackSlots.count
        where attacks[slot].hasPosition && attacks[slot].outputFrame != .min {
            let begin = attacks[slot].outputFrame
            let (first, end) = (
                max(begin, start), min(begin + lengths.attackFrames, start + count)
            )
            guard first < end else { continue }
            let wave = waveform(slot, channel: channel)
            for frame in first..<end { output[frame - start] += wave[frame - begin] }
        }
    }

    /// Assigns an output position to every lifted attack before the next centre on the input.
    ///
    /// - Parameters:
    ///   - inputFrame: The input frame under the centre of the vocoder frame just added.
    ///   - outputFrame: The output frame of that centre.
    ///   - advanceFrames: The distance to the next centre on the input, for one hop on the output.
    @_noLocks
    func lay(inputFrame: Double, outputFrame: Int, advanceFrames: Double) {
        guard advanceFrames > 0 else { return }
        let hop = Double(lengths.hopFrames)
        for slot in 0..<AttackSlots.count where attacks[slot].isLifted && !attacks[slot].hasPosition
        {
            let ahead = Double(attacks[slot].inputFrame) - inputFrame
            guard ahead < advanceFrames else { continue }
            let late = min(max(ahead * hop / advanceFrames, -hop), hop)
            attacks[slot].outputFrame =
                outputFrame + Int((late + hop + 0.5)) - lengths.hopFrames - lengths.fadeInFrames
            attacks[slot].hasPosition = true
        }
    }

    /// Frees the attacks that no window reaches any more and that have sounded.
    @_noLocks
    func forget(inputBefore: Int, outputBefore: Int) {
        for slot in 0..<AttackSlots.count {
            if attacks[slot].inputFrame + lengths.attackFrames < inputBefore {
                attacks[slot].isLifted = false
                attacks[slot].hasPosition = true
            }
            if attacks[slot].hasPosition,
                attacks[slot].outputFrame + lengths.attackFrames <= outputBefore
            {
                attacks[slot].outputFrame = .min
            }
        }
    }

    /// Lets the vocoder read the input unchanged from now on; attacks already on the output still
    /// sound.
    @_noLocks
    func release() {
        for slot in 0..<AttackSlots.count {
            attacks[slot].isLifted = false
            attacks[slot].hasPosition = true
        }
    }

    /// Returns a lifted attack within reach of a frame, or -1 if there is no such attack.
    @_noLocks
    func nearest(to inputFrame: Double, reachFrames: Double) -> Int {
        for slot in 0..<AttackSlots.count where attacks[slot].isLifted {
            let ahead = Double(attacks[slot].inputFrame) - inputFrame
            if ahead >= -reachFrames, ahead < reachFrames { return slot }
        }
        return -1
    }
}
