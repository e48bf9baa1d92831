internal import Processing

/// The data that every check of a file needs.
final class CheckContext {
    let document: Document
    let errors: ErrorList
    let types: TypeIndex
    /// The sample rate in Hz, for ranges that scale with it.
    let sampleRate: Double
    /// The path of the file; relative paths in the file start at its folder.
    let file: String
    /// Whether a file with errors should play as far as possible.
    let isTolerant: Bool
    /// The text to read instead of one of the files; `nil` to read all from the disk.
    let draft: FileDraft?

    init(
        document: Document, errors: ErrorList, types: TypeIndex, sampleRate: Double,
        file: String, isTolerant: Bool = false, draft: FileDraft? = nil
    ) {
        self.document = document
        self.errors = errors
        self.types = types
        self.sampleRate = sampleRate
        self.file = file
        self.isTolerant = isTolerant
        self.draft = draft
    }

    var structure: StructureCheck {
        StructureCheck(document: document, errors: errors, types: types)
    }

    /// Returns the values of an object whose structure has been checked.
    func fields(of element: JSONElement) -> Fields { Fields(element: element, errors: errors) }
}
