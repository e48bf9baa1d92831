public import Processing

extension Pipeline {
    /// Reads and checks a pipeline file.
    ///
    /// Ranges that scale with the sample rate, in frames a second, are checked at this one.
    ///
    /// - Throws: `InvalidPipeline` with everything that is wrong.
    public init(
        contentsOf path: String, catalogue: Catalogue, sampleRate: Double = 48000
    ) throws(InvalidPipeline) {
        try self.init(
            decoding: try bytes(ofFile: path), file: path, catalogue: catalogue,
            sampleRate: sampleRate)
    }

    /// Checks a pipeline file's text; `file` names it in diagnostics and gives the pipeline its name.
    ///
    /// - Throws: `InvalidPipeline` with everything that is wrong.
    public init(
        decoding bytes: [UInt8], file: String, catalogue: Catalogue, sampleRate: Double = 48000
    ) throws(InvalidPipeline) {
        let text = FileText(bytes, file: file)
        let types = TypeIndex(catalogue, sampleRate: sampleRate)
        self = try text.result(of: text.pipeline(types, sampleRate: sampleRate))
    }
}

/// What a file holds.
///
/// - Throws: `InvalidPipeline` where it can't be read.
func bytes(ofFile path: String) throws(InvalidPipeline) -> [UInt8] {
    do throws(UnreadableFile) {
        return try FileContents(path: path).bytes
    } catch {
        throw error.invalidPipeline
    }
}

/// A file's text while it becomes a value.
struct FileText {
    let file: String
    let faults = FaultList()
    let document: Document

    init(_ bytes: [UInt8], file: String) {
        self.file = file
        document = Document(parsing: bytes, faults: faults)
    }

    /// What checks of this file work with.
    func context(_ types: TypeIndex, sampleRate: Double) -> CheckContext {
        CheckContext(
            document: document, faults: faults, types: types, sampleRate: sampleRate,
            file: file)
    }

    /// The pipeline; where the syntax hides parts of the text, nothing more is checked.
    func pipeline(_ types: TypeIndex, sampleRate: Double) -> Pipeline? {
        guard document.isWhole else { return nil }
        return PipelineCheck(context: context(types, sampleRate: sampleRate)).check()
    }

    /// The value, if nothing was wrong.
    func result<Value>(of value: Value?) throws(InvalidPipeline) -> Value {
        guard let value, faults.isEmpty else {
            throw InvalidPipeline(
                diagnostics: faults.diagnostics(of: document, file: file),
                lacksOnlyPlugins: faults.holdsOnlyMissingPlugins)
        }
        return value
    }
}
