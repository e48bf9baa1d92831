/// An input or output while it is checked.
struct SignalDraft {
    let name: String
    /// The byte of its name, or of the document where the file leaves the signals out.
    let offset: Int
    /// Its object; nil where the file leaves the signals out.
    let element: JSONElement?
    var kind: Pipeline.SignalKind = .audio
    /// 0 for MIDI; nil where a fault hides it.
    var channels: Int?
    var connect: [Pipeline.ConnectionRule] = []
    var hasLimiter = true

    /// The signal that is there where the file names none.
    static func standard(_ name: String, offset: Int) -> SignalDraft {
        SignalDraft(name: name, offset: offset, element: nil, channels: 2)
    }
}
