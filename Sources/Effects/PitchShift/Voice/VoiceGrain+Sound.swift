internal import Realtime

/// The frames of a step that are rendered together.
struct GrainChunk: BitwiseCopyable {
    let firstFrame: Int
    let count: Int
    // SAFETY: the kernel owns the memory, and uses chunks only in `run`.
    /// The sum of all terms so far, with memory for up to three frames after the last.
    let sum: UnsafeMutablePointer<Float>
}

extension VoiceGrain {
    /// Adds the grain's part in a chunk of a channel.
    ///
    /// Each frame depends only on its distance to the grain's centre, so the output is
    /// bit-identical for every division into chunks.
    @_noLocks
    func add(to chunk: GrainChunk, history: borrowing VoiceHistory, channel: Int) {
        let count = min(chunk.count, endFrame - chunk.firstFrame)
        guard count > 0 else { return }
        if isPlain {
            addPlain(to: chunk, count: count, history: history, channel: channel)
        } else {
            addTurned(to: chunk, count: count, history: history, channel: channel)
        }
    }

    @_noLocks @inline(__always)
    private func window(frame: Int) -> SIMD4<Float> {
        let first = Float(frame - centreFrame)
        let distance = (SIMD4<Float>(0, 1, 2, 3) + first) - centreShare
        let slope = SIMD4(repeating: rightSlope).replacing(
            with: SIMD4(repeating: leftSlope), where: distance .< 0)
        return HannWindow.value(at: distance * slope) * gain
    }

    @_noLocks
    private func addPlain(
        to chunk: GrainChunk, count: Int, history: borrowing VoiceHistory, channel: Int
    ) {
        let frame = chunk.firstFrame - centreFrame + sourceFrame - 2
        let source = UnsafeRawPointer(history.address(channel: channel, frame: frame))
        let sum = UnsafeMutableRawPointer(chunk.sum)
        for index in stride(from: 0, to: count, by: 4) {
            let first = source + 4 * index
            var sample = first.loadUnaligned(as: SIMD4<Float>.self) * taps.a
            sample += first.loadUnaligned(fromByteOffset: 4, as: SIMD4<Float>.self) * taps.b
            sample += first.loadUnaligned(fromByteOffset: 8, as: SIMD4<Float>.self) * taps.c
            sample += first.loadUnaligned(fromByteOffset: 12, as: SIMD4<Float>.self) * taps.d
            sample += first.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self) * taps.e
            sample += first.loadUnaligned(fromByteOffset: 20, as: SIMD4<Float>.self) * taps.f
            let before = sum.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<Float>.self)
            let after = before + sample * window(frame: chunk.firstFrame + index)
            sum.storeBytes(of: after, toByteOffset: 4 * index, as: SIMD4<Float>.self)
        }
    }

    @_noLocks
    private func addTurned(
        to chunk: GrainChunk, count: Int, history: borrowing VoiceHistory, channel: Int
    ) {
        var position = sourceShare + (chunk.firstFrame - centreFrame) * speed
        let sum = UnsafeMutableRawPointer(chunk.sum)
        for index in stride(from: 0, to: count, by: 4) {
            var samples = (Float(0), Float(0), Float(0), Float(0))
            samples.0 = sample(history, channel, position)
            samples.1 = sample(history, channel, position + speed)
            samples.2 = sample(history, channel, position + 2 * speed)
            samples.3 = sample(history, channel, position + 3 * speed)
            position += 4 * speed
            let four = SIMD4(samples.0, samples.1, samples.2, samples.3)
            let before = sum.loadUnaligned(fromByteOffset: 4 * index, as: SIMD4<Float>.self)
            let after = before + four * window(frame: chunk.firstFrame + index)
            sum.storeBytes(of: after, toByteOffset: 4 * index, as: SIMD4<Float>.self)
        }
    }

    /// Reads between two frames with a Catmull-Rom spline.
    ///
    /// The position is in frames after `sourceFrame`, in units of 2^-32.
    @_noLocks @inline(__always)
    private func sample(_ history: borrowing VoiceHistory, _ channel: Int, _ position: Int) -> Float
    {
        let x = history.address(
            channel: channel, frame: sourceFrame + (position >> 32) - 1)
        let share = Float((position & 0xffff_ffff) >> 8) * (1.0 / 16_777_216)
        let (a, b, c, d) = (x[0], x[1], x[2], x[3])
        let cubic = share * (3 * (b - c) + d - a)
        return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + cubic))
    }
}
