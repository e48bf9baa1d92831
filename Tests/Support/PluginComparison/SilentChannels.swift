internal import Realtime

/// Runs a body with silent buffers, which are freed afterwards.
///
/// Each list has one buffer more than needed, so that it is never empty.
///
/// - Parameters:
///   - inputs: The number of inputs.
///   - outputs: The number of outputs.
///   - frames: The length of each buffer in frames.
///   - body: Receives the first sample of each input and of each output.
/// - Returns: The body's result.
public func withSilentChannels<Result>(
    inputs: Int, outputs: Int, frames: Int,
    _ body: ([UnsafeMutablePointer<Float>], [UnsafeMutablePointer<Float>]) -> Result
) -> Result {
    let channels = Buffer(count: inputs + outputs + 2) { _ in
        Buffer<Float>(count: frames, repeating: 0)
    }
    return withExtendedLifetime(channels) {
        body(
            (0...inputs).map { channels[$0].start },
            (0...outputs).map { channels[inputs + 1 + $0].start })
    }
}
