/// Returns the bytes of a file, or of the draft that replaces it.
///
/// - Throws: `InvalidPipeline` if the file cannot be read.
func bytes(
    ofFile path: String, draft: FileDraft? = nil
) throws(InvalidPipeline) -> [UInt8] {
    do throws(UnreadableFile) {
        return try draft.contents(of: path).bytes
    } catch {
        throw error.invalidPipeline
    }
}

/// The text of a file that is being checked.
struct FileText {
    let file: String
    let errors = ErrorList()
    let document: Document

    init(_ bytes: [UInt8], file: String) {
        self.file = file
        document = Document(parsing: bytes, errors: errors)
    }

    /// Whether the file is a setlist: it has the key `setlist` or `songs`.
    var isSetlist: Bool { document.root["setlist"] != nil || document.root["songs"] != nil }

    /// Returns the context for the checks of this file.
    func context(
        _ types: TypeIndex, sampleRate: Double, isTolerant: Bool = false, draft: FileDraft? = nil
    ) -> CheckContext {
        CheckContext(
            document: document, errors: errors, types: types, sampleRate: sampleRate,
            file: file, isTolerant: isTolerant, draft: draft)
    }

    /// Checks the pipeline, and tolerates errors that leave enough of it to play; `nil` if it
    /// cannot play.
    func playablePipeline(
        _ types: TypeIndex, sampleRate: Double
    ) -> (pipeline: Pipeline, problems: [Problem])? {
        let context = context(types, sampleRate: sampleRate, isTolerant: true)
        guard document.isWhole, let pipeline = PipelineCheck(context: context).check(),
            let problems = ErrorTolerance(text: self).problems(of: pipeline)
        else { return nil }
        return (pipeline, problems)
    }

    /// Returns the errors of a strict check of the same text, without those that follow only from
    /// the tolerance.
    func strictRefusal(_ types: TypeIndex, sampleRate: Double) -> InvalidPipeline {
        let text = FileText(document.bytes, file: file)
        _ = text.pipeline(types, sampleRate: sampleRate)
        return text.invalidPipeline
    }

    /// The errors of the file as the error of its reader.
    var invalidPipeline: InvalidPipeline {
        InvalidPipeline(
            diagnostics: errors.diagnostics(of: document, file: file),
            lacksOnlyPlugins: errors.hasOnlyMissingPlugins)
    }

    /// Checks the pipeline; returns `nil` without a check if syntax errors hide parts of the text.
    func pipeline(_ types: TypeIndex, sampleRate: Double) -> Pipeline? {
        guard document.isWhole else { return nil }
        return PipelineCheck(context: context(types, sampleRate: sampleRate)).check()
    }

    /// Returns the value if there are no errors.
    func result<Value>(of value: Value?) throws(InvalidPipeline) -> Value {
        guard let value, errors.isEmpty else {
            throw invalidPipeline
        }
        return value
    }
}
