internal import Control
internal import JackHost
internal import Pipelines
internal import Synchronization

// From one session to another.

extension StageHands {
    /// Plays another file in the place of the one that plays, as a JACK client of a name.
    ///
    /// - Parameters:
    ///   - path: A pipeline or a setlist.
    ///   - clientName: The name.
    ///   - done: Told once whether it plays, or why not: a sentence without its full stop.
    func play(
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
            done("\(path): \(error.diagnostics.first?.message ?? "the file is not valid")")
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
}
