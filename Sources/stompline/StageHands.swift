internal import Control
internal import JackHost
internal import Pipelines
internal import Processing
internal import Show
internal import Synchronization
internal import Terminal

/// All that stands around a session: watched files, OSC, the terminal view, the session manager.
final class StageHands: Sendable {
    let remote: SessionRemote
    let catalogue: Catalogue
    let sampleRate: Double
    let report: RunReport
    let state: Mutex<State>

    struct State {
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

    // MARK: The view

    func showProgramme() {
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
