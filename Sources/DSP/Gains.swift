/// Writes the input times a gain that may be moving; at a resting gain of 1, the output is
/// bit-identical.
@_noLocks
public func scale(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frameCount: Int,
    gain: inout GainGlide
) {
    var frame = 0
    while frame < frameCount, !gain.isResting {
        output[frame] = input[frame] * gain.next()
        frame += 1
    }
    scaleEvenly(input + frame, into: output + frame, frameCount: frameCount - frame, by: gain.value)
}

/// Adds the input times a gain that may be moving to the output.
@_noLocks
public func accumulate(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frameCount: Int,
    gain: inout GainGlide
) {
    var frame = 0
    while frame < frameCount, !gain.isResting {
        output[frame] += input[frame] * gain.next()
        frame += 1
    }
    // A strip at gain 0 costs nothing, and its non-finite samples do not reach the mix.
    guard gain.value != 0 else { return }
    accumulateEvenly(
        input + frame, into: output + frame, frameCount: frameCount - frame, by: gain.value)
}

@_noLocks
private func scaleEvenly(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frameCount: Int,
    by gain: Float
) {
    let source = UnsafeRawPointer(input)
    let destination = UnsafeMutableRawPointer(output)
    var frame = 0
    // Swift has no `restrict`: the loop reads eight frames before it writes any.
    while frame + 8 <= frameCount {
        let x = source.loadUnaligned(fromByteOffset: 4 * frame, as: SIMD8<Float>.self)
        let y = gain == 0 ? SIMD8<Float>.zero : x * gain
        destination.storeBytes(of: y, toByteOffset: 4 * frame, as: SIMD8<Float>.self)
        frame += 8
    }
    while frame < frameCount {
        output[frame] = gain == 0 ? 0 : input[frame] * gain
        frame += 1
    }
}

@_noLocks
private func accumulateEvenly(
    _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, frameCount: Int,
    by gain: Float
) {
    let source = UnsafeRawPointer(input)
    let destination = UnsafeMutableRawPointer(output)
    var frame = 0
    while frame + 8 <= frameCount {
        let x = source.loadUnaligned(fromByteOffset: 4 * frame, as: SIMD8<Float>.self)
        let sum = destination.loadUnaligned(fromByteOffset: 4 * frame, as: SIMD8<Float>.self)
        destination.storeBytes(of: sum + x * gain, toByteOffset: 4 * frame, as: SIMD8<Float>.self)
        frame += 8
    }
    while frame < frameCount {
        output[frame] += input[frame] * gain
        frame += 1
    }
}
