internal import Pipelines
internal import Processing

/// Checks edited files before they are written.
struct EditCheck {
    /// The catalogue with which files are checked.
    let catalogue: Catalogue
    /// The sample rate for which files are checked, in Hz.
    let sampleRate: Double

    /// Checks that an edit adds no error to a file, which may have errors already.
    ///
    /// - Throws: `EditError` with the first error.
    func check(
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
