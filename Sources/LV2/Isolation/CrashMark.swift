/// Where one plugin instance is, written by plain stores into memory that outlives the process.
struct CrashMark: BitwiseCopyable {
    /// Bytes of a mark: its words, then the plugin's URI.
    static let bytes = 512
    static let uriOffset = 32
    static let uriBytes = bytes - uriOffset

    /// What a plugin can be in; each thread has words of its own, so that several may be in it at once.
    enum Place: Int, CaseIterable {
        case instantiate = 0, activate, restore, run, work, deactivate, cleanup, save

        /// As a sentence about the plugin has it: "in its run".
        var text: String {
            switch self {
            case .instantiate: "while it was being made"
            case .activate: "while it was being activated"
            case .run: "in its run"
            case .work: "in its worker"
            case .restore: "while its state was being restored"
            case .save: "while its state was being saved"
            case .deactivate: "while it was being deactivated"
            case .cleanup: "while it was being freed"
            }
        }
    }

    private let words: UnsafeMutablePointer<UInt8>

    /// The mark at a place.
    init(_ memory: UnsafeMutableRawPointer) {
        words = memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Notes that a plugin's own code begins; one store.
    @_noLocks
    func enterRun() { words[3] = 1 }

    @_noLocks
    func leaveRun() { words[3] = 0 }

    /// Notes that the plugin's work begins, on whatever thread does it.
    @_noLocks
    func enterWork() { words[4] = 1 }

    @_noLocks
    func leaveWork() { words[4] = 0 }

    /// Notes that a plugin's own code runs as long as a body does; not on the audio thread.
    func during<Value>(_ place: Place, _ body: () -> Value) -> Value {
        words[place.rawValue] = 1
        defer { words[place.rawValue] = 0 }
        return body()
    }

    func isSame(as other: CrashMark) -> Bool { words == other.words }

    /// What the plugin is in.
    var places: [Place] { Place.allCases.filter { words[$0.rawValue] != 0 } }

    /// The plugin's URI; empty where the mark is free.
    var uri: String {
        let bytes = UnsafeBufferPointer(start: words + Self.uriOffset, count: Self.uriBytes)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Takes the mark for a plugin, or frees it with an empty URI.
    func name(_ uri: String) {
        for place in Place.allCases { words[place.rawValue] = 0 }
        let text = Array(uri.utf8.prefix(Self.uriBytes - 1))
        for (place, byte) in text.enumerated() { words[Self.uriOffset + place] = byte }
        words[Self.uriOffset + text.count] = 0
    }
}
