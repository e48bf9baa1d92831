internal import Processing

/// What every check of one file works with.
final class CheckContext {
    let document: Document
    let faults: FaultList
    let types: TypeIndex
    /// Frames a second, for ranges that scale with it.
    let sampleRate: Double
    /// The file's path, which others stand beside.
    let file: String

    init(
        document: Document, faults: FaultList, types: TypeIndex, sampleRate: Double,
        file: String
    ) {
        self.document = document
        self.faults = faults
        self.types = types
        self.sampleRate = sampleRate
        self.file = file
    }

    var structure: StructureCheck {
        StructureCheck(document: document, faults: faults, effectNames: types.effectNames)
    }

    /// The values of an object whose structure was checked.
    func fields(of element: JSONElement) -> Fields { Fields(element: element, faults: faults) }
}
