internal import Pipelines
internal import Processing
internal import SessionCore
internal import Synchronization

/// Edits the files of songs: writes learned bindings and saved values, and undoes the last edit.
///
/// Each edit replaces a file as a whole, and only if no other program has changed it meanwhile.
final class SongFileEditor: Sendable {
    private let catalogue: Catalogue
    private let sampleRate: Double
    private let last = Mutex<LastEdit?>(nil)

    /// The last edit of a file.
    private struct LastEdit {
        let path: String
        let old: PipelineText
        let new: PipelineText
        /// The saved values; empty for a binding.
        let values: [AddressValue]
    }

    /// Creates an editor that has not edited a file.
    ///
    /// - Parameters:
    ///   - catalogue: The catalogue for the check of edited files.
    ///   - sampleRate: The server's sample rate, in Hz, for which files are checked.
    init(catalogue: Catalogue, sampleRate: Double) {
        self.catalogue = catalogue
        self.sampleRate = sampleRate
    }

    /// Forgets the last edit, because another file plays.
    func forget() { last.withLock { $0 = nil } }

    /// Writes the binding of a control into a file.
    ///
    /// - Throws: `EditError`; the file is then unchanged.
    func bind(
        _ control: LearnedTrigger, to address: String, _ path: String
    ) throws(EditError) {
        let old = try PipelineText(ofFile: path)
        try replace(old, with: try old.adding(control, to: address), path)
    }

    /// Writes values into a song's file.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError`; the file is then unchanged.
    func save(_ save: SongSave) throws(EditError) -> FileEdit {
        let old = try PipelineText(ofFile: save.path)
        let new = try old.setting(save.edits)
        if new.bytes != old.bytes {
            try check(new, insteadOf: old, save.path)
            try replace(old, with: new, save.path, values: save.values)
        }
        return FileEdit(.saved(scene: save.scene), path: save.path, values: save.values)
    }

    /// Restores the file that was edited last, once.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError` if no file was edited, or another program has changed it since.
    func undo() throws(EditError) -> FileEdit {
        guard let edit = last.withLock({ $0 }) else {
            throw EditError("nothing to undo: no file was edited, or its edit is undone already")
        }
        try edit.old.save(to: edit.path, over: edit.new)
        forget()
        return FileEdit(.undone, path: edit.path, values: edit.values)
    }

    private func replace(
        _ old: PipelineText, with new: PipelineText, _ path: String, values: [AddressValue] = []
    ) throws(EditError) {
        try new.save(to: path, over: old)
        last.withLock { $0 = LastEdit(path: path, old: old, new: new, values: values) }
    }

    /// Checks that the edit adds no error to the file, which may have been edited since it was
    /// read.
    private func check(
        _ new: PipelineText, insteadOf old: PipelineText, _ path: String
    ) throws(EditError) {
        let errors = errors(in: new, path)
        guard let first = errors.first, errors.count > self.errors(in: old, path).count else {
            return
        }
        throw EditError("the file would not be valid: \(first.message)")
    }

    private func errors(in text: PipelineText, _ path: String) -> [Diagnostic] {
        do throws(InvalidPipeline) {
            _ = try Pipeline(
                decoding: text.bytes, file: path, catalogue: catalogue, sampleRate: sampleRate)
            return []
        } catch {
            return error.diagnostics
        }
    }
}
