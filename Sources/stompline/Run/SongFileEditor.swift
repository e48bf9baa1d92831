internal import Pipelines
internal import Processing
internal import SessionCore
internal import Synchronization

/// Edits the files that play: writes learned bindings, saved values and patches, and undoes and
/// redoes edits.
///
/// Each edit replaces a file as a whole, and only if no other program has changed it meanwhile.
final class SongFileEditor: Sendable {
    private let check: EditCheck
    private let state = Mutex(State())

    private struct State {
        var history = EditHistory()
        /// The history before the last edit, and the change that restores its files, in case that it
        /// cannot play.
        var last: (history: EditHistory, files: [EditHistory.FileChange])?
    }

    /// The text of a file before and after an edit.
    private struct EditedFile {
        let path: String
        let old: PipelineText
        let new: PipelineText

        var isChanged: Bool { new.bytes != old.bytes }

        /// The difference of the texts.
        var change: EditHistory.FileChange {
            EditHistory.FileChange(
                path: path, change: TextChange(from: old.bytes, to: new.bytes),
                before: ContentTag(of: old.bytes, file: path),
                after: ContentTag(of: new.bytes, file: path))
        }
    }

    /// Creates an editor that has not edited a file.
    ///
    /// - Parameters:
    ///   - catalogue: The catalogue for the check of edited files.
    ///   - sampleRate: The server's sample rate, in Hz, for which files are checked.
    init(catalogue: Catalogue, sampleRate: Double) {
        check = EditCheck(catalogue: catalogue, sampleRate: sampleRate)
    }

    /// The names of the edits that can be undone and redone next.
    var historyNames: SessionFiles.History { state.withLock { $0.history.names } }

    /// Forgets all edits, because another file plays.
    func forget() { state.withLock { $0 = State() } }

    // MARK: Edits

    /// Writes the binding of a control into a file.
    ///
    /// - Throws: `EditError`; the file is then unchanged.
    func bind(
        _ control: LearnedTrigger, to address: String, _ path: String
    ) throws(EditError) {
        let old = try PipelineText(ofFile: path)
        let new = try old.adding(control, to: address)
        try replace(
            [EditedFile(path: path, old: old, new: new)], values: [], name: "learn \(address)")
    }

    /// Writes values into a song's file, and values of the setlist's own nodes into the setlist.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError`; the files are then unchanged.
    func save(_ save: SongSave) throws(EditError) -> FileEdit {
        var files: [EditedFile] = []
        if !save.edits.isEmpty { files.append(try edited(save.path, save.edits)) }
        if let setlist = save.setlist { files.append(try edited(setlist.path, setlist.edits)) }
        let values = save.values + (save.setlist?.values ?? [])
        let changed = files.filter(\.isChanged)
        let name = save.scene.map { "save scene \($0)" } ?? "save"
        if !changed.isEmpty { try replace(changed, values: values, name: name) }
        var edit = FileEdit(
            .saved(scene: save.scene), path: files.first?.path ?? save.path, values: values)
        edit.setlistPath = files.count > 1 ? files[1].path : nil
        edit.name = name
        return edit
    }

    /// Returns a file with changed values, which are not written yet.
    private func edited(_ path: String, _ edits: [ValueEdit]) throws(EditError) -> EditedFile {
        let old = try PipelineText(ofFile: path)
        let file = EditedFile(path: path, old: old, new: try old.setting(edits))
        if file.isChanged { try check.check(file.new, insteadOf: old, path) }
        return file
    }

    /// Changes a file that still has the content which the change was made on.
    ///
    /// - Parameters:
    ///   - patch: The change.
    ///   - check: Checks the edited text together with all other files that play, before it is
    ///     written.
    /// - Returns: The edit.
    /// - Throws: `FileEditRefusal`; the file is then unchanged.
    func apply(
        _ patch: FilePatch, check: (FileDraft) throws(FileEditRefusal) -> Void
    ) throws(FileEditRefusal) -> FileEdit {
        let path = patch.file
        let old = try text(of: patch)
        let new: PipelineText
        do throws(PatchError) {
            new = try old.applying(patch.patch)
        } catch {
            throw FileEditRefusal(.impossible(operation: error.operation), error.message)
        }
        let file = EditedFile(path: path, old: old, new: new)
        if file.isChanged {
            try check(FileDraft(new.bytes, of: path))
            do throws(EditError) {
                try replace([file], values: [], name: patch.name)
            } catch {
                let found = try? FileContents(path: path).bytes
                let tag = found.map { ContentTag(of: $0, file: path) }
                guard tag == patch.tag else {
                    throw FileEditRefusal(.conflict(tag), error.message)
                }
                throw FileEditRefusal(.impossible(operation: nil), error.message)
            }
        }
        var edit = FileEdit(.edited, path: path, values: [])
        edit.name = patch.name
        edit.tag = ContentTag(of: new.bytes, file: path)
        return edit
    }

    /// Returns the text that a patch was made on.
    private func text(of patch: FilePatch) throws(FileEditRefusal) -> PipelineText {
        let contents: FileContents
        do throws(UnreadableFile) {
            contents = try FileContents(path: patch.file)
        } catch {
            throw FileEditRefusal(
                .conflict(nil), "\"\(patch.file)\" cannot be read: \(error.reason)")
        }
        let tag = ContentTag(of: contents.bytes, file: patch.file)
        guard tag == patch.tag else {
            throw FileEditRefusal(
                .conflict(tag),
                "\"\(patch.file)\" has changed since the edit was made; read it again")
        }
        do throws(EditError) {
            return try PipelineText(contents.bytes)
        } catch {
            throw FileEditRefusal(.impossible(operation: nil), error.message)
        }
    }

    // MARK: History

    /// Takes the last edit back.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError` if there is none, or another program has changed its files since.
    func undo() throws(EditError) -> FileEdit {
        guard let entry = state.withLock({ $0.history.nextUndo }) else {
            throw EditError("nothing to undo: no file was edited, or all edits are undone already")
        }
        return try step(.undone, entry, entry.files.map(\.inverse)) { $0.noteUndo() }
    }

    /// Makes the edit again that was taken back last.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError` if there is none, or another program has changed its files since.
    func redo() throws(EditError) -> FileEdit {
        guard let entry = state.withLock({ $0.history.nextRedo }) else {
            throw EditError("nothing to redo: no edit was undone since the last one")
        }
        return try step(.redone, entry, entry.files) { $0.noteRedo() }
    }

    private func step(
        _ kind: FileEdit.Kind, _ entry: EditHistory.Entry, _ changes: [EditHistory.FileChange],
        note: (inout EditHistory) -> Void
    ) throws(EditError) -> FileEdit {
        try write(try changes.map(Self.changed))
        state.withLock { state in
            state.last = (state.history, changes.map(\.inverse))
            note(&state.history)
        }
        var edit = FileEdit(kind, path: changes[0].path, values: entry.values)
        edit.setlistPath = changes.count > 1 ? changes[1].path : nil
        edit.name = entry.name
        edit.tag = changes[0].after
        return edit
    }

    /// Takes the last edit, `undo` or `redo` back, as if it had not happened, because it cannot play.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError` if another program has changed its files since.
    func restore() throws(EditError) -> FileEdit {
        guard let (history, changes) = state.withLock({ $0.last }) else {
            throw EditError("no file was edited")
        }
        try write(try changes.map(Self.changed))
        state.withLock { $0 = State(history: history) }
        return FileEdit(.undone, path: changes[0].path, values: [])
    }

    /// Returns the file after a change.
    ///
    /// - Throws: `EditError` if the file does not have the content before the change.
    private static func changed(
        _ change: EditHistory.FileChange
    ) throws(EditError) -> EditedFile {
        let old = try PipelineText(ofFile: change.path)
        guard ContentTag(of: old.bytes, file: change.path) == change.before,
            let bytes = change.change.applied(to: old.bytes)
        else {
            throw EditError(
                "another program has changed \"\(change.path)\" since the edit; its change remains")
        }
        return EditedFile(path: change.path, old: old, new: try PipelineText(bytes))
    }

    // MARK: Files

    private func replace(
        _ files: [EditedFile], values: [AddressValue], name: String
    ) throws(EditError) {
        try write(files)
        let changes = files.filter(\.isChanged).map(\.change)
        guard !changes.isEmpty else { return }
        state.withLock { state in
            state.last = (state.history, changes.map(\.inverse))
            state.history.add(.init(name: name, files: changes, values: values))
        }
    }

    /// Writes all files, or none if one of them cannot be written.
    private func write(_ files: [EditedFile]) throws(EditError) {
        for (index, file) in files.enumerated() {
            do throws(EditError) {
                try file.new.save(to: file.path, over: file.old)
            } catch {
                for written in files[..<index] {
                    try? written.old.save(to: written.path, over: written.new)
                }
                throw error
            }
        }
    }
}
