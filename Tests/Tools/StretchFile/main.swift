// Plays a sound file at another speed, or transposed, into another file, to measure the stretch
// engine alone.
//
//   stretch-file IN OUT RATE [SEMITONES]

internal import Glibc
internal import SoundFiles
internal import TestSignals

let words = CommandLine.arguments
guard words.count >= 4, let rate = Double(words[3]), rate > 0 else {
    print("usage: stretch-file IN OUT RATE [SEMITONES]")
    exit(64)
}
let semitones = words.count > 4 ? Double(words[4]) ?? 0 : 0

let reader = try SoundFileReader(path: words[1])
var samples = [Float](repeating: 0, count: reader.frameCount * reader.channels)
let frames = try reader.read(reader.frameCount, into: &samples)
let signals = (0..<reader.channels).map { channel in
    (0..<frames).map { samples[$0 * reader.channels + channel] }
}
let outputs = transposed(signals, rate: rate, semitones: semitones, sampleRate: reader.sampleRate)
let count = outputs[0].count
let writer = try SoundFileWriter(
    path: words[2], channels: reader.channels, sampleRate: reader.sampleRate, expectedFrames: count)
try writer.write(count, from: (0..<count).flatMap { frame in outputs.map { $0[frame] } })
try writer.close()
