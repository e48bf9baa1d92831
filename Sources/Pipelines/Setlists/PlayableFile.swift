public import Processing

/// A pipeline or a setlist whose valid parts can play.
///
/// The errors of its files are problems instead of reasons to refuse it.
public struct PlayableFile: Sendable, Equatable {
    /// The content of the file; the songs of a setlist have their own problems.
    public var file: PipelineFile
    /// The problems of a single pipeline, or those of a setlist that concern no song.
    public var problems: [Problem]

    /// Creates a file from its parts.
    public init(_ file: PipelineFile, problems: [Problem] = []) {
        self.file = file
        self.problems = problems
    }

    /// Reads and checks a pipeline, or a setlist with the pipelines of all its songs.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - catalogue: The effects and plugins.
    ///   - sampleRate: The sample rate in Hz, for ranges that scale with it.
    ///   - draft: The text to read instead of one of the files; `nil` to read all from the disk.
    ///   - known: The files that were read before; `nil` to check all.
    /// - Throws: `InvalidPipeline` with all errors if nothing can play.
    public init(
        contentsOf path: String, catalogue: Catalogue, sampleRate: Double = 48000,
        draft: FileDraft? = nil, known: CheckedFiles? = nil
    ) throws(InvalidPipeline) {
        let bytes = try bytes(ofFile: path, draft: draft)
        if let pipeline = known?.pipeline(of: bytes, file: path, sampleRate: sampleRate) {
            self.init(.pipeline(pipeline))
            return
        }
        try self.init(
            decoding: bytes, file: path, catalogue: catalogue, sampleRate: sampleRate,
            draft: draft, known: known)
    }

    /// Checks the text of a pipeline or a setlist; paths of songs are relative to `file`.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - file: The path of the file.
    ///   - catalogue: The effects and plugins.
    ///   - sampleRate: The sample rate in Hz, for ranges that scale with it.
    ///   - draft: The text to read instead of one of the files; `nil` to read all from the disk.
    ///   - known: The files that were read before; `nil` to check all.
    /// - Throws: `InvalidPipeline` with all errors if nothing can play.
    public init(
        decoding bytes: [UInt8], file: String, catalogue: Catalogue, sampleRate: Double = 48000,
        draft: FileDraft? = nil, known: CheckedFiles? = nil
    ) throws(InvalidPipeline) {
        let text = FileText(bytes, file: file)
        let types = TypeIndex(catalogue, sampleRate: sampleRate)
        guard text.isSetlist else {
            guard let (pipeline, problems) = text.playablePipeline(types, sampleRate: sampleRate)
            else { throw text.strictRefusal(types, sampleRate: sampleRate) }
            self.init(.pipeline(pipeline), problems: problems)
            known?.note(
                problems.isEmpty ? pipeline : nil, of: bytes, file: file, sampleRate: sampleRate)
            known?.forget(except: [file])
            return
        }
        let context = text.context(
            types, sampleRate: sampleRate, isTolerant: true, draft: draft)
        let check = SetlistCheck(context: context, file: file, known: known)
        let setlist = text.document.isWhole ? check.check() : nil
        self = try check.playableFile(of: setlist, in: text)
    }
}
