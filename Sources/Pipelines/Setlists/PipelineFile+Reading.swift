public import Processing

extension PipelineFile {
    /// Reads and checks a pipeline, or a setlist with the pipelines of all its songs.
    ///
    /// A file with the key `setlist` or `songs` is a setlist. `sampleRate`, in Hz, applies to
    /// ranges that scale with the sample rate. A draft replaces one of the files. Files that are
    /// `known` are checked only as far as they have changed.
    ///
    /// - Throws: `InvalidPipeline` with all errors in the file and in its songs.
    public init(
        contentsOf path: String, catalogue: Catalogue, sampleRate: Double = 48000,
        draft: FileDraft? = nil, known: CheckedFiles? = nil
    ) throws(InvalidPipeline) {
        let bytes = try bytes(ofFile: path, draft: draft)
        if let pipeline = known?.pipeline(of: bytes, file: path, sampleRate: sampleRate) {
            self = .pipeline(pipeline)
            return
        }
        try self.init(
            decoding: bytes, file: path, catalogue: catalogue, sampleRate: sampleRate,
            draft: draft, known: known)
    }

    /// Checks the text of a pipeline or a setlist; paths of songs are relative to `file`.
    ///
    /// - Throws: `InvalidPipeline` with all errors in the file and in its songs.
    public init(
        decoding bytes: [UInt8], file: String, catalogue: Catalogue, sampleRate: Double = 48000,
        draft: FileDraft? = nil, known: CheckedFiles? = nil
    ) throws(InvalidPipeline) {
        let text = FileText(bytes, file: file)
        let types = TypeIndex(catalogue, sampleRate: sampleRate)
        guard text.isSetlist else {
            let pipeline = text.pipeline(types, sampleRate: sampleRate)
            self = .pipeline(try text.result(of: pipeline))
            known?.note(pipeline, of: bytes, file: file, sampleRate: sampleRate)
            known?.forget(except: [file])
            return
        }
        let check = SetlistCheck(
            context: text.context(types, sampleRate: sampleRate, draft: draft), file: file,
            known: known)
        let setlist = text.document.isWhole ? check.check() : nil
        self = .setlist(try check.result(of: setlist, in: text))
    }
}
