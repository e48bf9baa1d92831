/// A record of the plugin code that one instance runs, in memory that outlives the process.
///
/// It is written by plain stores.
struct CrashMark: BitwiseCopyable {
    /// Bytes of a mark: first its flags, then the plugin's URI.
    static let bytes = 512
    private static let uriOffset = 32
    private static let uriBytes = bytes - uriOffset

    /// The kinds of plugin code; each has its own flag, so that several can be active at once.
    enum PluginCall: Int, CaseIterable {
        case instantiate = 0, activate, restore, run, work, deactivate, cleanup, save

        /// The kind of code as a phrase in a sentence about the plugin: "in its run".
        var text: String {
            switch self {
            case .instantiate: "while it was being created"
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

    /// Creates a view of the mark at an address.
    init(_ memory: UnsafeMutableRawPointer) {
        words = memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Notes that the plugin's run begins; a single store.
    @_noLocks
    func enterRun() { words[3] = 1 }

    @_noLocks
    func leaveRun() { words[3] = 0 }

    /// Notes that the plugin's work begins, on any thread.
    @_noLocks
    func enterWork() { words[4] = 1 }

    @_noLocks
    func leaveWork() { words[4] = 0 }

    /// Marks a kind of code while a body runs the plugin's own code; not for the audio thread.
    func during<Value>(_ call: PluginCall, _ body: () -> Value) -> Value {
        words[call.rawValue] = 1
        defer { words[call.rawValue] = 0 }
        return body()
    }

    func isSame(as other: CrashMark) -> Bool { words == other.words }

    /// The kinds of code that the plugin is in.
    var activeCalls: [PluginCall] { PluginCall.allCases.filter { words[$0.rawValue] != 0 } }

    /// The plugin's URI; empty if the mark is free.
    var uri: String {
        let bytes = UnsafeBufferPointer(start: words + Self.uriOffset, count: Self.uriBytes)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Assigns the mark to a plugin; an empty URI frees it.
    func name(_ uri: String) {
        for call in PluginCall.allCases { words[call.rawValue] = 0 }
        let text = Array(uri.utf8.prefix(Self.uriBytes - 1))
        for (index, byte) in text.enumerated() { words[Self.uriOffset + index] = byte }
        words[Self.uriOffset + text.count] = 0
    }
}
