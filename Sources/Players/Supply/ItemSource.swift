internal import CRealtime
internal import SoundFiles

/// A part of a file, read at the rate and with the channels that a player has; never on the audio thread.
final class ItemSource {
    let region: ItemRegion
    /// Frames of the part.
    let frameCount: Int
    private let source: any SeekableSource
    /// Frames as the source gives them, channel beside channel.
    private let piece: UnsafeMutablePointer<Float>
    /// Where the source is, from the part's first frame.
    private var position = 0

    private static let pieceFrames = 2048

    /// Opens the file at the part's first frame.
    ///
    /// - Parameters:
    ///   - region: Which part.
    ///   - opener: How files are opened.
    /// - Throws: `SoundFileFault` where the file can't be read.
    init(_ region: ItemRegion, opener: SoundOpener) throws(SoundFileFault) {
        self.region = region
        source = try opener.open(region.path, region.sampleRate)
        let end = min(region.endFrame ?? source.frameCount, source.frameCount)
        frameCount = max(0, end - region.startFrame)
        piece = .allocate(capacity: Self.pieceFrames * source.channels)
        if region.startFrame > 0 { try source.seek(to: region.startFrame) }
    }

    deinit { piece.deallocate() }

    /// Reads frames of the part, one channel behind the other.
    ///
    /// - Parameters:
    ///   - frame: The first one, from the part's own.
    ///   - count: How many are wanted.
    ///   - channels: How many channels are wanted.
    ///   - samples: Room for them.
    ///   - stride: How far the channels are apart in it.
    /// - Returns: How many there were: fewer than wanted at the end only.
    /// - Throws: `SoundFileFault` where the medium fails.
    func read(
        from frame: Int, count: Int, channels: Int, into samples: UnsafeMutablePointer<Float>,
        stride: Int
    ) throws(SoundFileFault) -> Int {
        if frame != position {
            try source.seek(to: region.startFrame + frame)
            position = frame
        }
        let wanted = min(count, frameCount - frame)
        var done = 0
        while done < wanted {
            let part = min(wanted - done, Self.pieceFrames)
            let got = try source.read(part, into: piece)
            if got == 0 { break }
            fit(piece, from: source.channels, to: channels, got, into: samples + done, stride)
            done += got
            position += got
        }
        return done
    }
}

/// Lays frames out channel behind channel, with as many channels as are wanted; what is no number becomes 0.
///
/// One channel goes to all, and all go into one as their mean; otherwise those that are too many are left out, and
/// those that lack are silent.
///
/// - Parameters:
///   - frames: Channel beside channel.
///   - given: Channels there are.
///   - wanted: Channels there shall be.
///   - count: How many frames.
///   - samples: Where they go.
///   - stride: How far the channels are apart there.
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

/// A sample that may be squared: 0 where it is no number, or louder than any sound.
private func sound(_ sample: Float) -> Float { abs(sample) <= 1e12 ? sample : 0 }
