import SoundFiles

/// Sound from arrays, one per channel.
final class Samples: SeekableSource {
    let path = "samples"
    let channels: Int
    let sampleRate: Double
    let frameCount: Int
    private let sound: [[Float]]
    private var position = 0

    init(_ sound: [[Float]], sampleRate: Double) {
        self.sound = sound
        self.sampleRate = sampleRate
        channels = sound.count
        frameCount = sound[0].count
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>) -> Int {
        let count = min(frames, frameCount - position)
        for frame in 0..<count {
            for channel in 0..<channels {
                samples[frame * channels + channel] = sound[channel][position + frame]
            }
        }
        position += count
        return count
    }

    func seek(to frame: Int) { position = frame }
}
