internal import CRealtime
internal import Realtime

/// The windows of the fast pitch shift: the analysis window rises over all frames before its top as
/// sin² and falls over half the span as cos²; the output window makes the product of both a Hann
/// window over the span.
///
/// The frames of a transform are rotated so that the top comes first: phases refer to the top.
public struct PartialWindows: ~Copyable {
    /// The analysis window, rotated.
    private let analysis: Buffer<Float>
    /// The output window over the span, from its first frame.
    private let output: Buffer<Float>
    private let lengths: ShiftLengths
    /// The hops from the centroid of the squared analysis window to its top.
    let leadHops: Float

    /// The elements before and after a spectrum that lobes and regions may overhang.
    public static var margin: Int { @_noLocks get { 64 } }

    /// Creates the windows of these lengths.
    public init(_ lengths: ShiftLengths) {
        self.lengths = lengths
        let (size, half) = (lengths.transformFrames, lengths.spanFrames / 2)
        var (sum, moment) = (0.0, 0.0)
        for frame in half - size..<half {
            let value = PartialWindows.value(frame, lengths)
            sum += value * value
            moment += Double(frame) * value * value
        }
        leadHops = Float(-moment / sum / Double(lengths.hopFrames))
        analysis = Buffer(count: size) { frame in
            Float(PartialWindows.value(frame < half ? frame : frame - size, lengths))
        }
        output = Buffer(count: lengths.spanFrames, repeating: 0)
        // Overlapping Hann windows add up to half their number; an inverse transform multiplies by
        // its size.
        let overlap = Double(lengths.spanFrames) / Double(2 * lengths.hopFrames)
        let scale = 1 / (overlap * Double(size))
        for frame in 0..<lengths.spanFrames {
            let sine = rt_sin(Double.pi * (Double(frame) + 0.5) / Double(lengths.spanFrames))
            output[frame] = Float(
                scale * sine * sine / PartialWindows.value(frame - half, lengths))
        }
    }

    /// Returns the analysis window at a distance in frames after its top.
    private static func value(_ away: Int, _ lengths: ShiftLengths) -> Double {
        let half = lengths.spanFrames / 2
        let phase =
            away < 0
            ? (Double(-away) - 0.5) / Double(lengths.transformFrames - half)
            : (Double(away) + 0.5) / Double(half)
        let cosine = rt_cos(0.5 * Double.pi * phase)
        return cosine * cosine
    }

    /// Returns the lobe of a partial under the analysis window.
    func makeLobe() -> WindowLobe {
        WindowLobe(analysis, riseFrames: lengths.transformFrames - lengths.spanFrames / 2)
    }

    /// Writes the newest frames under the analysis window, starting at its top.
    ///
    /// - Parameters:
    ///   - history: A ring of `transformFrames`.
    ///   - oldest: The index of its oldest frame, a multiple of 4.
    ///   - windowed: Room for the frames.
    @_noLocks
    public func apply(
        _ history: UnsafePointer<Float>, oldest: Int, to windowed: UnsafeMutablePointer<Float>
    ) {
        let size = lengths.transformFrames
        let top = oldest + size - lengths.spanFrames / 2
        var frame = 0
        while frame < size {
            let from = history + ((top + frame) & (size - 1))
            rt_store(windowed + frame, rt_load(from) * rt_load(analysis.start + frame))
            frame &+= 4
        }
    }

    /// Adds the span of a transform's frames to a ring of that length, so that unchanged frames add
    /// up to the input.
    ///
    /// - Parameters:
    ///   - frames: The output of the inverse transform, rotated.
    ///   - ring: A ring of `spanFrames`.
    ///   - first: The ring index of the span's first frame, a multiple of `stepFrames`.
    @_noLocks
    public func overlap(
        _ frames: UnsafePointer<Float>, onto ring: UnsafeMutablePointer<Float>, first: Int
    ) {
        let (size, span) = (lengths.transformFrames, lengths.spanFrames)
        release(ring, first: first)
        var frame = 0
        while frame < span {
            let from = frames + ((size - span / 2 + frame) & (size - 1))
            let to = ring + ((first + frame) & (span - 1))
            rt_store(to, rt_load(to) + rt_load(from) * rt_load(output.start + frame))
            frame &+= 4
        }
    }

    /// Clears the frames of the newest hop in a ring, which still has the sound of one span ago.
    @_noLocks
    public func release(_ ring: UnsafeMutablePointer<Float>, first: Int) {
        let (span, step) = (lengths.spanFrames, lengths.stepFrames)
        for frame in stride(from: span - lengths.hopFrames, to: span, by: step) {
            rt_clear(ring + (first + frame) % span, Int64(step))
        }
    }
}
