internal import ArgumentParser
internal import Effects
internal import Glibc
internal import JackHost
internal import LV2
internal import Loopers
internal import Pipelines
internal import Players
internal import Processing
internal import Recorders
internal import SessionCore
internal import SessionTexts
internal import Platform

/// Runs pipelines on a JACK server with random changes, under RealtimeSanitizer.
@main
struct Stress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stress",
        abstract: "Play pipelines while all changes that may.",
        discussion: """
            Noise goes into every input, and random MIDI. Parameters, bypass and mix of all nodes jump
            at random some three hundred times a second. Twenty times a second something else
            changes: an edit, a scene, a song, the block length, mute, panic and so on.
            """)

    @Argument(help: "Pipeline files: the songs; or a setlist.")
    var files: [String] = []

    @Option(help: "The JACK server's name.")
    var server: String

    @Option(help: "The duration in seconds.")
    var seconds = 3.0

    @Option(help: "Another seed gives other random values.")
    var seed: UInt64 = 1

    @Option(help: "Another version of the setlist, which an edit may make of it.")
    var edited: [String] = []

    @Option(help: "A folder of LV2 bundles, in addition to those of the system.")
    var plugins: [String] = []

    @Option(help: "The folder for takes.")
    var takes: String?

    @Option(help: "Fail unless this was counted, such as 'scenes applied'.")
    var expect: [String] = []

    @Option(help: "The number of cores that run nodes in every cycle.")
    var cores = 1

    @Flag(help: "Play a node that allocates in the callback instead of files.")
    var violate = false

    func validate() throws {
        if files.isEmpty != violate { throw ValidationError("give either files or --violate") }
    }

    func run() throws {
        // With both streams in one file, the error must follow the output that led to it.
        defer { fflush(nil) }
        StopSignals.hold()
        // The other clients find their server through this variable.
        setenv("JACK_DEFAULT_SERVER", server, 1)
        let (songs, catalogue) = try material()
        let name = songs[0].name
        let joined = try JoinedServer(clientName: "stress", server: server, mayStart: false)
        var options = SessionOptions()
        options.makesConnections = false
        // The sanitizer may end the program at any point.
        options.writesMetadata = false
        options.timebase = .ifFree
        options.coreCount = cores
        options.usesCoresAutomatically = false
        let capture = StressCapture(songs)
        // The sanitizer ends the program on purpose in that case, and the memory would remain.
        if !violate { options.captures = capture }
        let session = try JackSession(
            playing: SongCollection(name: name, songs: songs, isSetlist: songs.count > 1),
            catalogue: catalogue, on: joined, options: options)
        let stressor = Stressor(
            songs: songs, versions: try versions(of: songs, catalogue),
            sampleRate: joined.sampleRate, remote: session.remote, seconds: seconds, seed: seed)
        let reason = try session.play { event in
            if case .started(let start) = event { stressor.start(client: start.clientName) }
            stressor.note(event)
            if let line = EventText.line(for: event) { print("\(name): \(line)") }
        }
        let captures = capture.end()
        guard violate || captures > 0 else {
            print("\(name): nothing was captured")
            throw ExitCode.failure
        }
        print("\(name): \(stressor.summary)")
        let counts = stressor.summary.counts
        for missing in expect where counts[missing, default: 0] == 0 {
            print("\(name): none of the \(missing)")
        }
        guard reason == .requested, !counts.isEmpty,
            expect.allSatisfy({ counts[$0, default: 0] > 0 })
        else { throw ExitCode.failure }
    }

    private func material() throws -> ([Song], Catalogue) {
        if violate { return ([song(Violation.pipeline, path: "")], Violation.catalogue) }
        // The program is next to this one.
        let program =
            realpath("/proc/self/exe", nil).map { own in
                defer { free(own) }
                return String(cString: own).split(separator: "/").dropLast().reduce("") {
                    "\($0)/\($1)"
                }
            } ?? ""
        let catalogue = Catalogue(
            effects: EffectCatalogue.effects + [
                Player.effect(streams: .network(reach: .allHosts)), Recorder.effect(DiskThread()),
                Looper.effect(),
            ],
            plugins: PluginWorld(bundleFolders: plugins, hostProgram: program + "/stompline"),
            permissions: Permissions(
                network: true, privateHosts: true, outsideFolder: true, takesFolder: takes))
        return (try files.flatMap { try songs(in: $0, catalogue) }, catalogue)
    }

    /// Returns the song of a pipeline file, or the songs of a setlist, each with its outer level.
    private func songs(in path: String, _ catalogue: Catalogue) throws -> [Song] {
        let file = try PipelineFile(contentsOf: path, catalogue: catalogue)
        switch file {
        case .pipeline(let pipeline): return [song(pipeline, path: path)]
        case .setlist: return SongCollection(file, path: path).songs
        }
    }

    /// Returns the songs in all versions of the setlist, under the paths of the first one.
    private func versions(of songs: [Song], _ catalogue: Catalogue) throws -> [[Song]] {
        guard !edited.isEmpty else { return [] }
        let setlist = songs.compactMap { $0.pipeline.outer?.path }.first
        let others = try edited.map { path in
            zip(try self.songs(in: path, catalogue), songs).map { version, original in
                var song = version
                song.path = original.path
                if let setlist { song.pipeline.outer?.path = setlist }
                return song
            }
        }
        return [songs] + others
    }

    /// Returns a song; songs are distinguished by their paths, and names may repeat.
    private func song(_ pipeline: Pipeline, path: String) -> Song {
        Song(name: path.isEmpty ? pipeline.name : path, pipeline: pipeline, path: path)
    }
}
