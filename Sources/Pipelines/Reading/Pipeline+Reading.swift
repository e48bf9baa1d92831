public import Processing

extension Pipeline {
    /// Reads and checks a pipeline file.
    ///
    /// `sampleRate`, in Hz, applies to ranges that scale with the sample rate.
    ///
    /// - Throws: `InvalidPipeline` with all errors.
    public init(
        contentsOf path: String, catalogue: Catalogue, sampleRate: Double = 48000
    ) throws(InvalidPipeline) {
        try self.init(
            decoding: try bytes(ofFile: path), file: path, catalogue: catalogue,
            sampleRate: sampleRate)
    }

    /// Checks the text of a pipeline file; diagnostics and the default name use `file`.
    ///
    /// - Throws: `InvalidPipeline` with all errors.
    public init(
        decoding bytes: [UInt8], file: String, catalogue: Catalogue, sampleRate: Double = 48000
    ) throws(InvalidPipeline) {
        let text = FileText(bytes, file: file)
        let types = TypeIndex(catalogue, sampleRate: sampleRate)
        self = try text.result(of: text.pipeline(types, sampleRate: sampleRate))
    }
}
