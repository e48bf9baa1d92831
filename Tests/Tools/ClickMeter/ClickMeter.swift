import ArgumentParser
import Effects
import LV2
import Loopers
import Processing

/// Runs a session with random changes and measures how audible each change is.
@main
struct ClickMeter: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "click-meter",
        abstract: "Measure what is heard of every kind of change while a sound plays.",
        discussion: """
            For each kind of change and each sound it prints two figures. "step": the largest step
            from one sample to the next in % of what the crossfade law allows. "band": the energy
            outside the sound's own band in dB of the sound, and behind it what the law's own
            crossfade has there. Ends with status 1 where one is beyond its limit.
            """)

    @Option(help: "Another seed gives other random changes.")
    var seed: UInt64 = 1

    @Option(help: "Trials of each kind with each sound.")
    var trials = 2

    @Option(help: "Frames per block.")
    var block = 64

    @Option(help: "A sound file of speech (default: synthetic vowels).")
    var speech: String?

    @Option(help: "A sound file of music (default: synthetic chords and drums).")
    var music: String?

    @Option(help: "Only kinds whose name contains this text.")
    var only = ""

    @Option(help: "Folders of LV2 bundles, in addition to those of the system.")
    var plugins: [String] = []

    @Option(help: "The program that runs isolated plugins.")
    var hostProgram: String?

    @Flag(help: "A table for docs/measurements/clicks.md.")
    var markdown = false

    private static let sampleRate = 48_000.0
    /// The number of frames before a change; it is long enough for echoes to become steady.
    private static let leadFrames = 43_200...57_600
    private static let soundSeconds = 6

    func validate() throws {
        guard (1...4096).contains(block) else { throw ValidationError("a block has 1…4096 frames") }
        guard trials > 0 else { throw ValidationError("each kind is tried at least once") }
    }

    func run() throws {
        let world = PluginWorld(bundleFolders: plugins, hostProgram: hostProgram)
        let material = Material(
            catalogue: Catalogue(
                effects: EffectCatalogue.effects + [Looper.effect()], plugins: world),
            sampleRate: Self.sampleRate)
        let sounds = try makeSounds()
        let kinds = Kind.all(
            plugins: PluginMove.installed(in: material.catalogue), blockFrames: block,
            isolates: hostProgram != nil
        )
        .filter { $0.name.contains(only) }
        let table = FigureTable(isMarkdown: markdown)
        table.printHead()
        var missed = 0
        for (index, kind) in kinds.enumerated() {
            var dice = Dice(seed: seed &* 1_000 &+ UInt64(index))
            let row = try Row(kind, sounds, trials: trials, &dice) { change, sound, dice in
                try trial(change, sound, material, &dice).measure()
            }
            table.print(row)
            missed += row.missed
        }
        print("\n\(kinds.count * 3 - missed) of \(kinds.count * 3) meet their limit.")
        if missed > 0 { throw ExitCode.failure }
    }

    private func trial(
        _ change: Change, _ sound: Sound, _ material: Material, _ dice: inout Dice
    ) -> Trial {
        // The change is at a block boundary, so that the law's own crossfade is at the same frames.
        let frames = Int.random(in: Self.leadFrames, using: &dice) + change.preparationFrames
        let lead = frames / block * block
        let last = sound.samples.count - lead - Trial.heardFrames
        return Trial(
            change: change, sound: sound, material: material, blockFrames: block,
            firstFrame: Int.random(in: 0..<last, using: &dice), changeFrame: lead)
    }

    private func makeSounds() throws -> [Sound] {
        let (rate, frames) = (Self.sampleRate, Self.soundSeconds * Int(Self.sampleRate))
        let sines = [110.0, 443, 997, 2_489].map {
            Sound(hertz: $0, frames: frames, sampleRate: rate)
        }
        let voice =
            try speech.map {
                try Sound(.speech, file: $0, frames: frames, sampleRate: rate)
            }
            ?? Sound(
                .speech, Sound.sungSpeech(frames: frames, sampleRate: rate), frames: frames,
                sampleRate: rate)
        let band =
            try music.map { try Sound(.music, file: $0, frames: frames, sampleRate: rate) }
            ?? Sound(
                .music, Sound.chordsAndDrums(sampleRate: rate), frames: frames, sampleRate: rate)
        return sines + [voice, band]
    }
}
