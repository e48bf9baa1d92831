internal import CRealtime

/// A separator that lifts attacks out of the input in four parts, so that no block of frames bears
/// all the work.
///
/// The sound before an attack keeps its share of each frequency: tones and chords stay with the
/// vocoder. The lifter does not free its memory automatically: its creator calls `deallocate`.
struct AttackLifter: BitwiseCopyable {
    private let lengths: StretchLengths
    private let channelCount: Int
    private let transform: RealTransform
    private let stride: Int
    // SAFETY: the buffers are allocated in `init` and freed only in `deallocate`, which the owner
    // calls last.
    /// The gain of the gate over an attack.
    private let gate: UnsafeMutablePointer<Float>
    private let samples: UnsafeMutablePointer<Float>
    /// The spectrum of the gated sound for each channel: real parts, then imaginary parts.
    private let spectra: UnsafeMutablePointer<Float>
    /// A temporary spectrum.
    private let other: UnsafeMutablePointer<Float>
    private let powerNow: UnsafeMutablePointer<Float>
    private let powerBefore: UnsafeMutablePointer<Float>
    /// The slot that is being filled; -1 if there is no work.
    private var slot = -1
    private var part = 0

    init(lengths: StretchLengths, channelCount: Int) {
        self.lengths = lengths
        self.channelCount = channelCount
        let size = lengths.attackTransformFrames
        transform = RealTransform(size: size)
        stride = size / 2 + 8
        gate = zeros(size)
        samples = zeros(size)
        spectra = zeros(2 * channelCount * stride)
        other = zeros(2 * stride)
        powerNow = zeros(stride)
        powerBefore = zeros(stride)
        writeGate()
    }

    func deallocate() {
        transform.deallocate()
        for place in [gate, samples, spectra, other, powerNow, powerBefore] { place.deallocate() }
    }

    /// Writes a fast fade-in and a slow fade-out, both raised cosines.
    private func writeGate() {
        for frame in 0..<lengths.attackFrames { gate[frame] = 1 }
        for frame in 0..<lengths.fadeInFrames {
            let turn = (Double(frame) + 0.5) / Double(lengths.fadeInFrames)
            gate[frame] = Float(0.5 - 0.5 * rt_cos(Double.pi * turn))
        }
        for frame in 0..<lengths.fadeOutFrames {
            let turn = (Double(frame) + 0.5) / Double(lengths.fadeOutFrames)
            gate[lengths.attackFrames - 1 - frame] = Float(0.5 - 0.5 * rt_cos(Double.pi * turn))
        }
    }

    /// Abandons the attack in progress.
    @_noLocks
    mutating func abandon() { slot = -1 }

    /// Performs the next part, or starts with the next attack that the vocoder has not read yet.
    ///
    /// - Parameters:
    ///   - ring: The input.
    ///   - scan: The positions of the attacks.
    ///   - slots: The storage for lifted attacks.
    ///   - unreadFrame: The first input frame that no window has reached yet.
    ///   - horizonFrames: The distance beyond it up to which attacks are lifted, in frames.
    ///   - bandShare: The highest frequency in the output, as a share of Nyquist.
    @_noLocks
    mutating func step(
        _ ring: CaptureRing, scan: AttackScan, slots: AttackSlots, unreadFrame: Int,
        horizonFrames: Int, bandShare: Double
    ) {
        if slot < 0 {
            begin(
                ring, scan: scan, slots: slots, unreadFrame: unreadFrame,
                horizonFrames: horizonFrames)
        } else {
            goOn(ring, slots: slots, unreadFrame: unreadFrame, bandShare: bandShare)
        }
    }

    /// Performs the next part for the attack in progress.
    @_noLocks
    private mutating func goOn(
        _ ring: CaptureRing, slots: AttackSlots, unreadFrame: Int, bandShare: Double
    ) {
        let start = slots.attacks[slot].placeFrame - lengths.fadeInFrames
        part += 1
        switch part {
        case 2: analyseBefore(ring, start: start)
        case 3: writeShare(slots.share(slot))
        default:
            separate(slots, bandShare: bandShare)
            // If a window has reached the attack by now, the attack stays in the vocoder's input.
            slots.attacks[slot].isLifted = start >= unreadFrame
            slots.attacks[slot].isPlaced = start < unreadFrame
            slot = -1
        }
    }

    @_noLocks
    private mutating func begin(
        _ ring: CaptureRing, scan: AttackScan, slots: AttackSlots, unreadFrame: Int,
        horizonFrames: Int
    ) {
        let place = next(scan, slots, after: unreadFrame + lengths.fadeInFrames)
        let start = place - lengths.fadeInFrames
        guard place >= 0, start < unreadFrame + horizonFrames,
            start + lengths.attackFrames <= ring.writtenFrames
        else { return }
        slot = slots.freeSlot()
        guard slot >= 0 else { return }
        slots.attacks[slot] = LiftedAttack(
            placeFrame: place, isLifted: false, isPlaced: false, outputFrame: .min)
        analyse(ring, start: start)
        part = 1
    }

    /// Returns the first attack from a frame on that has no slot.
    @_noLocks
    private func next(_ scan: AttackScan, _ slots: AttackSlots, after frame: Int) -> Int {
        var place = scan.first(from: frame)
        while place >= 0, slots.holds(place) { place = scan.first(from: place + 1) }
        return place
    }

    /// Calculates the spectra of the gated sound.
    @_noLocks
    private func analyse(_ ring: CaptureRing, start: Int) {
        rt_clear(powerNow, Int64(stride))
        for channel in 0..<channelCount {
            ring.read(channel, from: start, count: lengths.attackFrames, into: samples)
            for frame in 0..<lengths.attackFrames { samples[frame] *= gate[frame] }
            clearRest()
            let real = spectra + 2 * channel * stride
            transform.forward(samples, real: real, imaginary: real + stride)
            SplitSpectrum(real: real, imaginary: real + stride)
                .addPower(to: powerNow, count: stride)
        }
    }

    /// Calculates the power of the same number of frames before, under the reversed gate.
    @_noLocks
    private func analyseBefore(_ ring: CaptureRing, start: Int) {
        rt_clear(powerBefore, Int64(stride))
        let count = lengths.attackFrames
        for channel in 0..<channelCount {
            ring.read(channel, from: start - count, count: count, into: samples)
            for frame in 0..<count { samples[frame] *= gate[count - 1 - frame] }
            clearRest()
            transform.forward(samples, real: other, imaginary: other + stride)
            SplitSpectrum(real: other, imaginary: other + stride)
                .addPower(to: powerBefore, count: stride)
        }
    }

    /// Writes the waveforms of the share of each frequency that is new in the attack.
    @_noLocks
    private func separate(_ slots: AttackSlots, bandShare: Double) {
        let share = slots.share(slot)
        let scale = 1 / Float(lengths.attackTransformFrames)
        for channel in 0..<channelCount {
            let real = spectra + 2 * channel * stride
            rt_multiply(other, real, share, Int64(stride))
            rt_multiply(other + stride, real + stride, share, Int64(stride))
            // Frequencies cut off here stay in the vocoder's input, and the vocoder removes them.
            // After a slope, some would remain in its output.
            limitBand(
                of: RTComplexArray(real: other, imaginary: other + stride), share: bandShare,
                bins: transform.bins, hasSlope: false)
            transform.inverse(real: other, imaginary: other + stride, output: samples)
            let waveform = slots.waveform(slot, channel: channel)
            for frame in 0..<lengths.attackFrames { waveform[frame] = samples[frame] * scale }
        }
    }

    /// Writes power / (power + 4 · power before) for each bin, where each power is the mean of
    /// seven neighbours.
    @_noLocks
    private func writeShare(_ share: UnsafeMutablePointer<Float>) {
        let last = transform.bins - 1
        // In double precision: running sums lose small values next to large ones.
        var (now, before) = (0.0, 0.0)
        for bin in -3...last {
            if bin + 3 <= last {
                now += Double(powerNow[bin + 3])
                before += Double(powerBefore[bin + 3])
            }
            if bin >= 4 {
                now = max(0, now - Double(powerNow[bin - 4]))
                before = max(0, before - Double(powerBefore[bin - 4]))
            }
            if bin >= 0 { share[bin] = Float(now) / Float(now + 4 * before + 1e-18) }
        }
    }

    /// Clears the samples after the attack, up to the size of the transform.
    @_noLocks
    private func clearRest() {
        rt_clear(
            samples + lengths.attackFrames,
            Int64(lengths.attackTransformFrames - lengths.attackFrames))
    }
}
