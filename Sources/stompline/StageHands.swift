internal import Control
internal import JackHost
internal import Pipelines
internal import Processing
internal import Show
internal import Synchronization
internal import Terminal

/// All that stands around a session: watched files, OSC, the terminal view, the session manager.
final class StageHands: Sendable {
    private let remote: SessionRemote
    private let catalogue: Catalogue
    private let sampleRate: Double
    private let report: RunReport
    private let state: Mutex<State>

    private struct State {
        var reader: SongReader
        var contents: SongReader.Contents
        var watch: FileWatch?
        var osc: (server: OSCServer, desk: any Desk)?
        var view: TerminalView?
        var managed: ManagedShow?
        var song = 0
        /// The URIs of all plugins that were to play.
        var plugins: Set<String> = []
        /// Whether the files of another session are about to be played, and what is edited waits.
        var isTurning = false
        var hasWaitingEdit = false

        /// Takes what the files hold now.
        mutating func take(_ contents: SongReader.Contents) {
            self.contents = contents
            plugins.formUnion(contents.songs.flatMap(\.pipeline.pluginURIs))
        }
    }

    init(
        _ remote: SessionRemote, _ reader: SongReader, _ contents: SongReader.Contents,
        sampleRate: Double, _ report: RunReport
    ) {
        self.remote = remote
        catalogue = reader.catalogue
        self.sampleRate = sampleRate
        self.report = report
        var state = State(reader: reader, contents: contents)
        state.take(contents)
        self.state = Mutex(state)
    }

    /// The URIs of the plugins that played.
    var playedPlugins: Set<String> { state.withLock(\.plugins) }

    /// Begins to watch, to listen and to show, each where it is wanted.
    ///
    /// - Throws: `Failure` where a port is taken.
    func begin(_ options: RemoteOptions, _ session: ManagedSession?) throws {
        let desk = remote.desk()
        if let server = try options.openOSC(for: desk) {
            desk.listen { server.hear($0) }
            state.withLock { $0.osc = (server, desk) }
        }
        let programme = state.withLock { Self.programme($0) }
        let view = report.show(programme, on: remote.desk()) { [remote] in remote.stop() }
        state.withLock { $0.view = view }
        if !options.noWatch { watch() }
        let managed = try session?.follow(remote.desk()) { [weak self] in
            self?.play($0, as: $1, done: $2)
        }
        state.withLock { $0.managed = managed }
    }

    /// Takes all away again.
    func leave() {
        // Their threads are waited for, which may ask for the state.
        let gone = state.withLock { state in
            defer { (state.watch, state.osc, state.view, state.managed) = (nil, nil, nil, nil) }
            return (state.watch, state.osc, state.managed)
        }
        gone.1?.desk.listen(nil)
    }

    /// Tells of an event, on the session's thread.
    func tell(_ event: SessionEvent) {
        switch event {
        case .song(let number, _):
            state.withLock { $0.song = number - 1 }
            showProgramme()
        case .learned(let address, let control, let path): bind(address, control, path)
        default: break
        }
        report.tell(event)
    }

    // MARK: Files

    private func watch() {
        let watch = FileWatch { [weak self] _ in self?.read() }
        watch.watch(state.withLock { $0.contents.paths($0.reader.path) })
        state.withLock { $0.watch = watch }
    }

    /// Reads the files anew: what is valid is followed, of what is not all faults are shown.
    private func read() {
        let reader = state.withLock(\.reader)
        do throws(InvalidPipeline) {
            follow(try reader.read(sampleRate: sampleRate), of: reader.path)
        } catch {
            report.show(error.diagnostics)
        }
    }

    /// Plays what a file holds now, unless another takes its place.
    private func follow(_ contents: SongReader.Contents, of path: String) {
        let watch: FileWatch? = state.withLock { state in
            guard !state.isTurning, state.reader.path == path else {
                state.hasWaitingEdit = true
                return nil
            }
            state.take(contents)
            remote.follow(contents.songs)
            return state.watch
        }
        watch?.watch(contents.paths(path))
        showProgramme()
    }

    // MARK: Other sessions

    /// Plays another file in the place of the one that plays, as a JACK client of a name.
    ///
    /// - Parameters:
    ///   - path: A pipeline or a setlist.
    ///   - clientName: The name.
    ///   - done: Told once whether it plays, or why not: a sentence without its full stop.
    private func play(
        _ path: String, as clientName: String, done: @escaping @Sendable (String?) -> Void
    ) {
        let reader = SongReader(path, catalogue: catalogue)
        do throws(InvalidPipeline) {
            let contents = try reader.read(sampleRate: sampleRate)
            report.warn(of: contents.songs)
            turn(
                to: Succession(
                    songs: contents.songs, named: contents.name, catalogue: catalogue,
                    clientName: clientName
                ) { [weak self] fault in
                    if let fault { self?.stay(fault) } else { self?.begin(reader, contents) }
                    done(fault)
                }, contents.paths(path))
        } catch {
            report.show(error.diagnostics)
            done(error.diagnostics.first?.message ?? "the file is not valid")
        }
    }

    private func turn(to next: Succession, _ paths: [String]) {
        state.withLock { state in
            // What is edited until it plays counts as well.
            state.watch?.watch(state.contents.paths(state.reader.path) + paths)
            state.isTurning = true
            // No edit of the old files comes after this.
            remote.turn(to: next)
        }
    }

    /// Goes on with the files that there are.
    private func stay(_ fault: String) {
        report.complain("the session is not opened, what plays goes on: \(fault)")
        state.withLock { $0.isTurning = false }
        catchUp()
    }

    /// Goes on with other files, which play.
    private func begin(_ reader: SongReader, _ contents: SongReader.Contents) {
        state.withLock { state in
            state.isTurning = false
            state.reader = reader
            state.song = 0
            state.take(contents)
        }
        showProgramme()
        catchUp()
    }

    /// Watches the files that play alone, and follows what was edited meanwhile.
    private func catchUp() {
        let (watch, paths, isEdited) = state.withLock { state in
            defer { state.hasWaitingEdit = false }
            return (state.watch, state.contents.paths(state.reader.path), state.hasWaitingEdit)
        }
        watch?.watch(paths)
        if isEdited { read() }
    }

    /// Puts a learned control in the song's file, and has it read.
    private func bind(_ address: String, _ control: LearnedTrigger, _ path: String) {
        do {
            let old = try PipelineText(ofFile: path)
            try old.adding(control, to: address).save(to: path, over: old)
        } catch {
            return report.complain("\(address) is not bound: \(error.message)")
        }
        // Also where nobody watches.
        read()
    }

    // MARK: The view

    private func showProgramme() {
        let (view, programme) = state.withLock { ($0.view, Self.programme($0)) }
        view?.take(programme)
    }

    private static func programme(_ state: State) -> Programme {
        let songs = state.contents.songs
        let pipeline = songs[min(state.song, songs.count - 1)].pipeline
        let inputs = pipeline.inputs.filter { $0.kind == .audio }.flatMap { input in
            (1...max(1, input.channels)).map { channel in
                input.channels == 1
                    ? Programme.Input(port: input.name, reference: input.name)
                    : Programme.Input(
                        port: "\(input.name)_\(channel)", reference: "\(input.name):\(channel)")
            }
        }
        return Programme(
            name: state.contents.name, scenes: pipeline.scenes.map(\.name),
            songs: state.contents.isSetlist ? songs.map(\.name) : [], inputs: inputs)
    }
}
