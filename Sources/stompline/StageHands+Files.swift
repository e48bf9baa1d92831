internal import Control
internal import JackHost
internal import Pipelines
internal import Synchronization

// The files that play, and their edits.

extension StageHands {
    /// Begins to watch the files.
    func watch() {
        let watch = FileWatch { [weak self] _ in self?.read() }
        watch.watch(state.withLock { $0.contents.paths($0.reader.path) })
        state.withLock { $0.watch = watch }
    }

    /// Reads the files anew: what is valid is followed, of what is not all faults are shown.
    func read() {
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
                state.hasWaitingEdit = state.isTurning
                return nil
            }
            state.take(contents)
            remote.follow(contents.songs)
            return state.watch
        }
        watch?.watch(contents.paths(path))
        showProgramme()
    }

    /// Puts a learned control in the song's file, and has it read.
    func bind(_ address: String, _ control: LearnedTrigger, _ path: String) {
        do {
            let old = try PipelineText(ofFile: path)
            try old.adding(control, to: address).save(to: path, over: old)
        } catch {
            return report.complain("\(address) is not bound: \(error.message)")
        }
        // Also where nobody watches.
        read()
    }
}
