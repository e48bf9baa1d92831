internal import CRealtime
internal import Realtime

/// A separator that lifts attacks out of the input in four parts, so that no block of frames bears
/// all the work.
///
/// The sound before an attack keeps its share of each frequency: tones and chords stay with the
/// vocoder.
struct AttackLifter: ~Copyable {
    private let lengths: StretchLengths
    private let channelCount: Int
    private let transform: RealTransform
    private let stride: Int
    /// The gain of the gate over an attack.
    private let gate: Buffer<Float>
    private let samples: Buffer<Float>
    /// The spectrum of the gated sound for each channel: real parts, then imaginary parts.
    private let spectra: Buffer<Float>
    /// A temporary spectrum.
    private let other: Buffer<Float>
    private let powerNow: Buffer<Float>
    private let powerBefore: Buffer<Float>
    /// The slot that is being filled; -1 if there is no work.
    private var slot = -1
    private var part = 0

    init(lengths: StretchLengths, channelCount: Int) {
        self.lengths = lengths
        self.channelCount = channelCount
        let size = lengths.attackTransformFrames
        transform = RealTransform(size: size)
        stride = size / 2 + 8
        gate = Buffer(count: size, repeating: 0)
        samples = Buffer(count: size, repeating: 0)
        spectra = Buffer(count: 2 * channelCount * stride, repeating: 0)
        other = Buffer(count: 2 * stride, repeating: 0)
        powerNow = Buffer(count: stride, repeating: 0)
        powerBefore = Buffer(count: stride, repeating: 0)
        writeGate()
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

    /// Writes the attack in progress.
    @_noLocks
    func note(to notes: UnsafeMutablePointer<StateNotes>) {
        notes.pointee.put(slot)
        notes.pointee.put(part)
    }

    /// Continues with a noted attack.
    @_noLocks
    mutating func follow(_ notes: UnsafeMutablePointer<StateNotes>) {
        slot = notes.pointee.pop(from: -1, through: AttackSlots.count - 1)
        part = notes.pointee.pop(from: 0, through: 4)
    }

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
        _ ring: borrowing CaptureRing, scan: borrowing AttackScan, slots: borrowing AttackSlots,
        unreadFrame: Int, horizonFrames: Int, bandShare: Double
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
        _ ring: borrowing CaptureRing, slots: borrowing AttackSlots, unreadFrame: Int,
        bandShare: Double
    ) {
        let start = slots.attacks[slot].inputFrame - lengths.fadeInFrames
        part += 1
        switch part {
        case 2: analyseBefore(ring, start: start)
        case 3: writeShare(slots.share(slot))
        default:
            separate(slots, bandShare: bandShare)
            // If a window has reached the attack by now, the attack stays in the vocoder's input.
            slots.attacks[slot].isLifted = start >= unreadFrame
            slots.attacks[slot].hasPosition = start < unreadFrame
            slot = -1
        }
    }

    @_noLocks
    private mutating func begin(
        _ ring: borrowing CaptureRing, scan: borrowing AttackScan, slots: borrowing AttackSlots,
        unreadFrame: Int, horizonFrames: Int
    ) {
        let inputFrame = next(scan, slots, after: unreadFrame + lengths.fadeInFrames)
        let start = inputFrame - lengths.fadeInFrames
        guard inputFrame >= 0, start < unreadFrame + horizonFrames,
            start + lengths.attackFrames <= ring.writtenFrames
        else { return }
        slot = slots.freeSlot()
        guard slot >= 0 else { return }
        slots.attacks[slot] = LiftedAttack(
            inputFrame: inputFrame, isLifted: false, hasPosition: false, outputFrame: .min)
        analyse(ring, start: start)
        part = 1
    }

    /// Returns the first attack from a frame on that has no slot.
    @_noLocks
    private func next(
        _ scan: borrowing AttackScan, _ slots: borrowing AttackSlots, after frame: Int
    ) -> Int {
        var inputFrame = scan.first(from: frame)
        while inputFrame >= 0, slots.holds(inputFrame) {
            inputFrame = scan.first(from: inputFrame + 1)
        }
        return inputFrame
    }

    /// Calculates the spectra of the gated sound.
    @_noLocks
    private func analyse(_ ring: borrowing CaptureRing, start: Int) {
        let (samples, gate) = (samples.start, gate.start)
        rt_clear(powerNow.start, Int64(stride))
        for channel in 0..<channelCount {
            ring.read(channel, from: start, count: lengths.attackFrames, into: samples)
            for frame in 0..<lengths.attackFrames { samples[frame] *= gate[frame] }
            clearRest()
            let real = spectra.start + 2 * channel * stride
            transform.forward(samples, real: real, imaginary: real + stride)
            SplitSpectrum(real: real, imaginary: real + stride)
                .addPower(to: powerNow.start, count: stride)
        }
    }

    /// Calculates the power of the same number of frames before, under the reversed gate.
    @_noLocks
    private func analyseBefore(_ ring: borrowing CaptureRing, start: Int) {
        let (samples, gate, other) = (samples.start, gate.start, other.start)
        rt_clear(powerBefore.start, Int64(stride))
        let count = lengths.attackFrames
        for channel in 0..<channelCount {
            ring.read(channel, from: start - count, count: count, into: samples)
            for frame in 0..<count { samples[frame] *= gate[count - 1 - frame] }
            clearRest()
            transform.forward(samples, real: other, imaginary: other + stride)
            SplitSpectrum(real: other, imaginary: other + stride)
                .addPower(to: powerBefore.start, count: stride)
        }
    }

    /// Writes the waveforms of the share of each frequency that is new in the attack.
    @_noLocks
    private func separate(_ slots: borrowing AttackSlots, bandShare: Double) {
        let (samples, other) = (samples.start, other.start)
        let share = slots.share(slot)
        let scale = 1 / Float(lengths.attackTransformFrames)
        for channel in 0..<channelCount {
            let real = spectra.start + 2 * channel * stride
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
        let (powerNow, powerBefore) = (powerNow.start, powerBefore.start)
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
            samples.start + lengths.attackFrames,
            Int64(lengths.attackTransformFrames - lengths.attackFrames))
    }
}
