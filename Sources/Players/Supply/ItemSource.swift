internal import CRealtime
internal import Realtime
internal import SoundFiles

/// Reads a part of a file at the rate and with the channels of a player; not on the audio thread.
final class ItemSource {
    let region: ItemRegion
    /// The length of the part in frames.
    let frameCount: Int
    private let source: any SeekableSource
    /// Interleaved frames from the source.
    private let piece: Buffer<Float>
    /// The position of the source in frames, counted from the first frame of the part.
    private var position = 0

    private static let pieceFrames = 2048

    /// Opens the file at the first frame of the part.
    ///
    /// - Parameters:
    ///   - region: The part of the file.
    ///   - opener: Opens sound files.
    /// - Throws: `SoundFileError` if the file cannot be read.
    init(_ region: ItemRegion, opener: SoundOpener) throws(SoundFileError) {
        self.region = region
        source = try opener.open(region.path, region.sampleRate)
        let end = min(region.endFrame ?? source.frameCount, source.frameCount)
        frameCount = max(0, end - region.startFrame)
        piece = Buffer(count: Self.pieceFrames * source.channels, repeating: 0)
        if region.startFrame > 0 { try source.seek(to: region.startFrame) }
    }

    /// Reads frames of the part, one channel after the other.
    ///
    /// - Parameters:
    ///   - frame: The first frame, counted from the start of the part.
    ///   - count: The number of frames.
    ///   - channels: The number of channels.
    ///   - samples: Room for the frames.
    ///   - stride: The distance between two channels in `samples`.
    /// - Returns: The number of frames read; less than `count` only at the end.
    /// - Throws: `SoundFileError` if the medium fails.
    func read(
        from frame: Int, count: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        stride: Int
    ) throws(SoundFileError) -> Int {
        if frame != position {
            try source.seek(to: region.startFrame + frame)
            position = frame
        }
        let wanted = min(count, frameCount - frame)
        var done = 0
        while done < wanted {
            let part = min(wanted - done, Self.pieceFrames)
            let got = try source.read(part, into: piece.start)
            if got == 0 { break }
            fit(piece.start, from: source.channels, to: channels, got, into: samples + done, stride)
            done += got
            position += got
        }
        return done
    }
}

/// Converts interleaved frames to separate channels, with the requested number of channels.
///
/// A single channel goes to all channels. A single output is the mean of all channels. Otherwise
/// surplus channels are dropped, and missing ones are silent. Samples that are not numbers
/// become 0.
///
/// - Parameters:
///   - frames: The interleaved frames.
///   - given: The number of channels in `frames`.
///   - wanted: The number of channels to write.
///   - count: The number of frames.
///   - samples: Room for the output.
///   - stride: The distance between two channels in `samples`.
func fit(
    _ frames: UnsafePointer<Float>, from given: Int, to wanted: Int, _ count: Int,
    into samples: UnsafeMutablePointer<Float>, _ stride: Int
) {
    for channel in 0..<wanted {
        let out = samples + channel * stride
        if wanted == 1, given > 1 {
            for frame in 0..<count {
                var sum: Float = 0
                for other in 0..<given { sum += sound(frames[frame * given + other]) }
                out[frame] = sum / Float(given)
            }
        } else if given == 1 || channel < given {
            let from = given == 1 ? 0 : channel
            for frame in 0..<count { out[frame] = sound(frames[frame * given + from]) }
        } else {
            out.update(repeating: 0, count: count)
        }
    }
}

/// Returns a sample that can be squared: 0 if it is not a number or is louder than any real sound.
private func sound(_ sample: Float) -> Float { abs(sample) <= 1e12 ? sample : 0 }
