import CRealtime
import Processing
import SoundFiles
import TestSignals

import Players

/// The player's description.
let playerDescription = Player.effect().description

/// Creates sound files for a test, and players for them.
struct PlayerScene {
    let folder = ScratchFolder()

    /// Writes a file of 32-bit floats, and returns its path.
    func file(_ name: String, _ signals: [[Float]], sampleRate: Double = 48_000) -> String {
        let path = folder.file(name)
        do {
            let frames = signals.first?.count ?? 0
            let writer = try SoundFileWriter(
                path: path, channels: signals.count, sampleRate: sampleRate, expectedFrames: frames)
            let beside = (0..<frames).flatMap { frame in signals.map { $0[frame] } }
            try writer.write(frames, from: beside)
            try writer.close()
        } catch {
            fatalError("\(error)")
        }
        return path
    }

    /// Creates a player with settings.
    func player(
        _ settings: [String: SettingValue], channels: Int = 1, sampleRate: Double = 48_000,
        isLive: Bool = false, isReplay: Bool = false, seed: UInt64? = nil,
        opener: SoundOpener = .files, _ values: [String: Float] = [:]
    ) -> Processor {
        let effect = Player.effect(opener: opener)
        let request = ProcessorRequest(
            format: AudioFormat(
                sampleRate: sampleRate, maximumBlockFrames: 4096, isLive: isLive,
                isReplay: isReplay),
            inputChannels: 0, outputChannels: channels,
            parameters: effect.description.parameters.map { values[$0.name] ?? $0.defaultValue },
            settings: settings, seed: seed)
        do {
            return try effect.makeProcessor(request)
        } catch {
            fatalError(error.message)
        }
    }

    /// Prepares a change of the settings of a mono player.
    func change(
        _ player: Processor, to settings: [String: SettingValue], isLive: Bool = false
    ) throws -> any SettingsChange {
        guard let follower = player.settingsFollower else { throw PluginError("no follower") }
        return try follower.prepareChange(
            to: ProcessorRequest(
                format: AudioFormat(
                    sampleRate: 48_000, maximumBlockFrames: 4096, isLive: isLive),
                inputChannels: 0, outputChannels: 1,
                parameters: playerDescription.parameters.map(\.defaultValue), settings: settings))
    }

    /// Creates a player of one file.
    func player(
        _ path: String, channels: Int = 1, isLive: Bool = false, _ values: [String: Float] = [:],
        _ settings: [String: SettingValue] = [:]
    ) -> Processor {
        // With this preload, long files are read one page at a time even offline.
        let usual: [String: SettingValue] = ["file": .text(path), "preload": .number(0.5)]
        return player(
            settings.merging(usual) { given, _ in given }, channels: channels, isLive: isLive,
            values)
    }
}

/// Returns a parameter's index in the description.
func playerParameter(_ name: String) -> Int32 {
    guard let index = playerDescription.parameters.firstIndex(where: { $0.name == name }) else {
        fatalError("there is no parameter \(name)")
    }
    return Int32(index)
}

extension Move {
    /// Creates a move of a player's parameter.
    init(_ name: String, to value: Float, at frame: Int) {
        self.init(playerParameter(name), to: value, at: frame)
    }
}

extension Processor {
    /// Renders a source and returns all its channels.
    func play(_ frames: Int, partition: Partition = .even(64), moves: [Move] = []) -> [[Float]] {
        render(frames: frames, partition: partition, moves: moves)
    }

    /// Returns a reported value by name.
    func report(_ name: String) -> Float {
        let names = playerDescription.reports.map(\.name)
        guard let index = names.firstIndex(of: name), let reports else { return .nan }
        return reports[index]
    }
}

/// Returns a ramp without repeats, so that every sample identifies its frame.
func ramp(_ frames: Int, from first: Int = 0) -> [Float] {
    (0..<frames).map { Float(first + $0 + 1) / 1_048_576 }
}
