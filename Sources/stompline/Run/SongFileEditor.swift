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
        /// The files, in the order in which they were edited.
        var files: [EditedFile]
        /// The saved values; empty for a binding.
        let values: [AddressValue]
    }

    /// The text of a file before and after an edit.
    private struct EditedFile {
        let path: String
        let old: PipelineText
        let new: PipelineText

        var isChanged: Bool { new.bytes != old.bytes }
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
        let new = try old.adding(control, to: address)
        try replace([EditedFile(path: path, old: old, new: new)], values: [])
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
        if !changed.isEmpty { try replace(changed, values: values) }
        var edit = FileEdit(
            .saved(scene: save.scene), path: files.first?.path ?? save.path, values: values)
        edit.setlistPath = files.count > 1 ? files[1].path : nil
        return edit
    }

    /// Returns a file with changed values, which are not written yet.
    private func edited(_ path: String, _ edits: [ValueEdit]) throws(EditError) -> EditedFile {
        let old = try PipelineText(ofFile: path)
        let file = EditedFile(path: path, old: old, new: try old.setting(edits))
        if file.isChanged { try check(file.new, insteadOf: old, path) }
        return file
    }

    /// Restores the file that was edited last, once.
    ///
    /// - Returns: The edit.
    /// - Throws: `EditError` if no file was edited, or another program has changed it since.
    func undo() throws(EditError) -> FileEdit {
        guard let edit = last.withLock({ $0 }) else {
            throw EditError("nothing to undo: no file was edited, or its edit is undone already")
        }
        let undone = edit.files.map { EditedFile(path: $0.path, old: $0.new, new: $0.old) }
        try write(undone)
        forget()
        var result = FileEdit(.undone, path: undone[0].path, values: edit.values)
        result.setlistPath = undone.count > 1 ? undone[1].path : nil
        return result
    }

    private func replace(_ files: [EditedFile], values: [AddressValue]) throws(EditError) {
        try write(files)
        last.withLock { $0 = LastEdit(files: files, values: values) }
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
            _ = try PipelineFile(
                decoding: text.bytes, file: path, catalogue: catalogue, sampleRate: sampleRate)
            return []
        } catch {
            return error.diagnostics
        }
    }
}
