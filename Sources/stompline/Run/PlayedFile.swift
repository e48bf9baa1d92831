internal import Control
internal import JackHost
internal import Pipelines
internal import Processing
internal import SessionCore
internal import Platform
internal import Synchronization

/// Manages the current file: reads it after edits, has bindings and values written, and switches to
/// another file.
final class PlayedFile: Sendable {
    private let remote: SessionRemote
    private let catalogue: Catalogue
    /// Whether files play as far as possible if they have errors.
    private let isTolerant: Bool
    private let sampleRate: Double
    private let report: RunReport
    private let state: Mutex<State>
    private let editor: SongFileEditor
    /// The files that were announced last; the lock keeps announcements in order.
    private let announced = Mutex<SessionFiles?>(nil)
    /// The other machines that the files name.
    private let rig: Rig
    /// The index of the song that the session begins with.
    private let firstSong: Int

    private struct State {
        var reader: SongReader
        var songs: SongCollection
        var watch: FileWatch?
        /// The URIs of all plugins of the files that were played.
        var pluginURIs: Set<String> = []
        /// Whether a switch to another file is in progress, so that edits wait.
        var isSwitching = false
        /// Whether the session's own edit of a file is in progress, so that other edits wait.
        var isEditing = false
        var hasWaitingEdit = false

        /// The paths of the file and all files that it refers to.
        var paths: [String] { reader.paths(of: songs) }

        /// Whether the file of a reader plays, and no switch to another one is in progress.
        func plays(_ reader: SongReader) -> Bool { !isSwitching && self.reader.path == reader.path }

        mutating func follow(_ songs: SongCollection) {
            self.songs = songs
            pluginURIs.formUnion(songs.songs.flatMap(\.pipeline.pluginURIs))
        }
    }

    /// Creates a manager for a file that has been read.
    ///
    /// - Parameters:
    ///   - reader: Reads the file.
    ///   - songs: The songs that it contains.
    ///   - start: The song and the scene that the session begins with.
    ///   - remote: The session that plays them.
    ///   - sampleRate: The server's sample rate, in Hz, for which files are checked.
    ///   - rig: Follows the other machines that the files name.
    ///   - report: Shows errors.
    init(
        _ reader: SongReader, _ songs: SongCollection, from start: StartingPoint,
        remote: SessionRemote, sampleRate: Double, rig: Rig, _ report: RunReport
    ) {
        self.rig = rig
        firstSong = start.song
        self.remote = remote
        catalogue = reader.catalogue
        isTolerant = reader.isTolerant
        editor = SongFileEditor(catalogue: reader.catalogue, sampleRate: sampleRate)
        self.sampleRate = sampleRate
        self.report = report
        var state = State(reader: reader, songs: songs)
        state.follow(songs)
        self.state = Mutex(state)
        announce()
    }

    /// The URIs of the plugins that played.
    var playedPlugins: Set<String> { state.withLock(\.pluginURIs) }

    /// The overview of the songs before the session begins.
    var firstOverview: SessionOverview {
        let songs = state.withLock(\.songs)
        return SessionOverview(of: songs, song: min(firstSong, songs.songs.count - 1))
    }

    // MARK: Edits

    /// Starts to watch for edits.
    func watch() {
        let watch = FileWatch { [weak self] _ in self?.read() }
        watch.watch(state.withLock(\.paths))
        state.withLock { $0.watch = watch }
    }

    /// Stops watching for edits.
    func endWatch() {
        // Waits for the thread outside the lock, because the thread may need the state.
        let ended = state.withLock { state in
            defer { state.watch = nil }
            return state.watch
        }
        _ = ended
    }

    /// Handles an event of the session, on the session's thread.
    func receive(_ event: SessionEvent) {
        switch event {
        case .learned(let address, let control, let path): bind(control, to: address, path)
        // The session's thread must not wait for the disk.
        case .fileEditRequested(let order): _ = BlockingTask { [self] in edit(order) }
        default: break
        }
    }

    /// Reads the file; applies valid content, or shows the errors of invalid content.
    ///
    /// A song that the edit would break keeps its previous version.
    private func read() {
        defer { announce() }
        let (reader, old) = state.withLock { ($0.reader, $0.songs) }
        do throws(InvalidPipeline) {
            follow(try read(reader, since: old), of: reader.path)
        } catch {
            report.show(error.diagnostics)
        }
    }

    /// Reads a file, and shows the errors of songs that the edit would break; such a song keeps its
    /// previous version.
    ///
    /// - Parameters:
    ///   - reader: Reads the file.
    ///   - old: The songs before the edit.
    ///   - checked: The content of the file, if it was just read.
    /// - Returns: The songs to play.
    /// - Throws: `InvalidPipeline` with all errors, unless they are tolerated.
    private func read(
        _ reader: SongReader, since old: SongCollection, checked: SongCollection? = nil
    ) throws(InvalidPipeline) -> SongCollection {
        let edited =
            if let checked { checked } else { try reader.read(sampleRate: sampleRate) }
        let (songs, refused) = edited.refusingNewProblems(since: old)
        if !refused.isEmpty { report.show(refused.map(\.diagnostic)) }
        return songs
    }

    /// Plays the current content of a file, unless a switch to another file is in progress.
    private func follow(_ songs: SongCollection, of path: String) {
        let (watch, paths): (FileWatch?, [String]) = state.withLock { state in
            guard !state.isSwitching, !state.isEditing, state.reader.path == path else {
                state.hasWaitingEdit = state.isSwitching || state.isEditing
                return (nil, [])
            }
            // The session comes first, so that the edit is heard soon.
            remote.follow(songs)
            state.follow(songs)
            return (state.watch, state.paths)
        }
        watch?.watch(paths)
        rig.follow(state.withLock(\.songs))
    }

    /// Writes the binding of a learned control to the song's file, and applies the file.
    private func bind(_ control: LearnedTrigger, to address: String, _ path: String) {
        do {
            try editor.bind(control, to: address, path)
        } catch {
            return report.notify("\(address) is not bound: \(error.message)")
        }
        // The watcher may be off, so the file is read here.
        read()
    }

    /// Edits a file by order of the session, and applies it.
    private func edit(_ order: FileEditOrder) {
        if case .read(let path) = order.task { return read(path, for: order) }
        let mayBegin = state.withLock { state in
            if !state.isSwitching { state.isEditing = true }
            return !state.isSwitching
        }
        guard mayBegin else {
            let reason = "another session is being opened"
            return remote.finishFileEdit(order.number, .refused(reason), songs: nil)
        }
        var checked: SongCollection?
        do throws(EditError) {
            let result = try carryOut(order.task, &checked)
            finish(order, result, checked: checked)
        } catch {
            finish(order, .refused(error.message))
        }
    }

    /// Carries out an edit.
    ///
    /// - Parameters:
    ///   - task: The edit.
    ///   - checked: Receives the songs of the edited files if the edit had to be checked with them.
    /// - Returns: The result.
    /// - Throws: `EditError`; the files are then unchanged.
    private func carryOut(
        _ task: FileEditOrder.Task, _ checked: inout SongCollection?
    ) throws(EditError) -> FileEditResult {
        switch task {
        case .save(let save): return .done(try editor.save(save))
        case .undo: return .done(try editor.undo())
        case .redo: return .done(try editor.redo())
        case .restore: return .done(try editor.restore())
        case .edit(let patch):
            try checkPlays(patch.file)
            do throws(FileEditRefusal) {
                let edit = try editor.apply(patch) { draft throws(FileEditRefusal) in
                    checked = try check(draft)
                }
                return .done(edit)
            } catch {
                return .failed(error)
            }
        case .read: return .refused("the file was not read")
        }
    }

    /// Checks that a file may be read and edited by a client.
    private func checkPlays(_ path: String) throws(EditError) {
        let (reader, songs) = state.withLock { ($0.reader, $0.songs) }
        let isSetlist = songs.isSetlist && path == reader.path
        guard isSetlist || songs.paths.contains(path) else {
            throw EditError("\"\(path)\" is not a file that plays")
        }
    }

    /// Checks an edited text, together with all other files, by the rules that apply when a file
    /// was edited.
    ///
    /// - Parameter draft: The edited text.
    /// - Returns: The songs of all files; `nil` if they cannot be read.
    /// - Throws: `FileEditRefusal` if the edit causes an error.
    private func check(_ draft: FileDraft) throws(FileEditRefusal) -> SongCollection? {
        let (reader, old) = state.withLock { ($0.reader, $0.songs) }
        var songs: SongCollection?
        var errors: [Diagnostic]
        do throws(InvalidPipeline) {
            let edited = try reader.read(sampleRate: sampleRate, draft: draft)
            songs = edited
            errors = edited.newErrors(since: [old], inFile: draft.path)
            // A hand edit of another song may have an error that the session does not follow.
            if !errors.isEmpty, let onDisk = try? reader.read(sampleRate: sampleRate) {
                errors = edited.newErrors(since: [old, onDisk], inFile: draft.path)
            }
        } catch {
            errors = error.diagnostics
        }
        guard let first = errors.first else { return songs }
        let more = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
        throw FileEditRefusal(
            .invalid(errors), "the file would have an error: \(first.message)" + more)
    }

    /// Returns the errors that a new pipeline or setlist would have.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - path: The path at which it will be.
    /// - Returns: The errors; empty if it is valid.
    func errors(in bytes: [UInt8], path: String) -> [Diagnostic] {
        let reader = SongReader(path, catalogue: catalogue)
        do throws(InvalidPipeline) {
            _ = try reader.read(sampleRate: sampleRate, draft: FileDraft(bytes, of: path))
            return []
        } catch {
            return error.diagnostics
        }
    }

    /// Reads a file that plays by order of the session.
    private func read(_ path: String, for order: FileEditOrder) {
        let result: FileEditResult
        do {
            try checkPlays(path)
            result = .read(FileContent(path: path, bytes: try FileContents(path: path).bytes))
        } catch let error as EditError {
            result = .refused(error.message)
        } catch let error as UnreadableFile {
            result = .refused("\"\(path)\" cannot be read: \(error.reason)")
        } catch {
            result = .refused("\(error)")
        }
        remote.finishFileEdit(order.number, result, songs: nil)
    }

    /// Announces the files that play, with their tags and the history, if any of that has changed.
    private func announce() {
        announced.withLock { former in
            let (reader, songs) = state.withLock { ($0.reader, $0.songs) }
            let files = SessionFiles(files: reader.files(of: songs), history: editor.historyNames)
            guard files != former else { return }
            former = files
            remote.announce(files)
        }
    }

    /// Passes the result of an edit and the edited songs to the session.
    private func finish(
        _ order: FileEditOrder, _ result: FileEditResult, checked: SongCollection? = nil
    ) {
        let (reader, old) = state.withLock { ($0.reader, $0.songs) }
        var songs: SongCollection?
        if case .done = result {
            do throws(InvalidPipeline) {
                // A file that has changed since the check is reported by the watch.
                songs = try read(reader, since: old, checked: checked)
            } catch {
                // Another song of the setlist is not valid at this moment.
                report.show(error.diagnostics)
            }
        }
        state.withLock { state in
            if !state.plays(reader) { songs = nil }
            if let songs { state.follow(songs) }
        }
        // A client that receives the answer must know the new tags, or it would show the old text.
        announce()
        state.withLock { state in
            state.isEditing = false
            if !state.plays(reader) { songs = nil }
            remote.finishFileEdit(order.number, result, songs: songs)
        }
        rig.follow(state.withLock(\.songs))
        catchUp()
    }

    // MARK: Another file

    /// Plays another file instead of the current one, under a JACK client name.
    ///
    /// - Parameters:
    ///   - path: The path of a pipeline or a setlist.
    ///   - clientName: The name of the JACK client.
    ///   - done: Called once: with `nil` when the file plays, or with the reason why it does not, a
    ///     sentence without its full stop.
    func play(
        _ path: String, as clientName: String, done: @escaping @Sendable (String?) -> Void
    ) {
        let reader = SongReader(path, catalogue: catalogue, isTolerant: isTolerant)
        do throws(InvalidPipeline) {
            let songs = try reader.read(sampleRate: sampleRate)
            report.warn(of: songs)
            switchSongs(
                SessionSwitch(to: songs, catalogue: catalogue, clientName: clientName) {
                    [weak self] error in
                    if let error { self?.keepFile(error) } else { self?.begin(reader, songs) }
                    done(error)
                }, watching: reader.paths(of: songs))
        } catch {
            report.show(error.diagnostics)
            done("\(path): \(error.diagnostics.first?.message ?? "the file is not valid")")
        }
    }

    private func switchSongs(_ request: SessionSwitch, watching paths: [String]) {
        state.withLock { state in
            // Edits of the new file before it plays count as well.
            state.watch?.watch(state.paths + paths)
            state.isSwitching = true
            // Edits of the old file are ignored after this request.
            remote.switchSongs(request)
        }
    }

    /// Continues with the current file, and reports why the other one does not play.
    private func keepFile(_ reason: String) {
        report.notify("the session was not opened; the current one continues: \(reason)")
        state.withLock { $0.isSwitching = false }
        catchUp()
    }

    /// Continues with another file, which plays now.
    private func begin(_ reader: SongReader, _ songs: SongCollection) {
        state.withLock { state in
            state.isSwitching = false
            editor.forget()
            state.reader = reader
            state.follow(songs)
        }
        rig.follow(songs)
        announce()
        catchUp()
    }

    /// Watches only the current file, and applies edits that have waited.
    private func catchUp() {
        let (watch, paths, isEdited): (FileWatch?, [String], Bool) = state.withLock { state in
            guard !state.isSwitching, !state.isEditing else { return (nil, [], false) }
            defer { state.hasWaitingEdit = false }
            return (state.watch, state.paths, state.hasWaitingEdit)
        }
        watch?.watch(paths)
        if isEdited { read() }
    }
}
