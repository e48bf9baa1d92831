import CRealtime
import Processing
import Recorders
import SoundFiles
import Testing
import TestSignals

/// The parameters by their indices.
enum Parameter {
    static let recording: Int32 = 0
    static let take: Int32 = 1
}

/// A folder of takes, and recorders that write into it.
struct Recording {
    let folder = ScratchFolder()
    let thread = DiskThread()
    var channels = 2
    var sampleRate = 48_000.0
    var isLive = false

    /// Creates a recorder; `recording` is on from the start by default.
    func recorder(
        _ file: String, isRecording: Bool = true, _ settings: [String: SettingValue] = [:]
    ) throws -> Processor {
        let settings = settings.merging(["file": .text(folder.file(file))]) { first, _ in first }
        let effect = Recorder.effect(thread)
        _ = try effect.inspect(settings)
        return try effect.makeProcessor(
            ProcessorRequest(
                format: AudioFormat(
                    sampleRate: sampleRate, maximumBlockFrames: 4096, isLive: isLive),
                inputChannels: channels, outputChannels: channels,
                parameters: [isRecording ? 1 : 0, 0], settings: settings, node: "tape"))
    }

    /// Plays a signal through a recorder, ends the take, and returns the recorder's output.
    @discardableResult
    func record(
        _ signal: [[Float]], to file: String, isRecording: Bool = true,
        _ settings: [String: SettingValue] = [:], partition: Partition = .even(64),
        moves: [Move] = []
    ) throws -> [[Float]] {
        let recorder = try recorder(file, isRecording: isRecording, settings)
        let output = recorder.render(signal, partition: partition, moves: moves)
        return output
    }

    /// Returns noise for each channel, the same every time.
    func noise(frames: Int) -> [[Float]] {
        (0..<channels).map { whiteNoise(frames: frames, seed: UInt64($0 + 1)) }
    }

    /// Returns the sound of a take, after removed recorders have completed it.
    func sound(of file: String) throws -> [[Float]] {
        try #require(thread.finish(withinSeconds: 20))
        return try SoundFileReader(path: folder.file(file)).readChannels()
    }

    /// Returns the bytes of a file.
    func bytes(of file: String) throws -> [UInt8] { try contents(of: folder.file(file)) }
}

extension Processor {
    /// Returns a reported value by its name in the description.
    func report(_ name: String) -> Float {
        let names = Recorder.effect(DiskThread()).description.reports.map(\.name)
        guard let index = names.firstIndex(of: name), let reports else { return .nan }
        return reports[index]
    }

    /// Returns all incidents that have not been read yet.
    func incidentsSoFar() -> [Incident] {
        var all: [Incident] = []
        while let incident = incidents?.next() { all.append(incident) }
        return all
    }
}

extension [[Float]] {
    /// Returns a range of frames of every channel.
    func part(_ range: Range<Int>) -> [[Float]] { map { Array<Float>($0[range]) } }

    /// Returns the two signals, one after the other.
    func followed(by other: [[Float]]) -> [[Float]] { zip(self, other).map { $0 + $1 } }
}
