internal import Platform

/// The JACK library that this process uses: that of JACK, or that of PipeWire.
///
/// Both have the same functions, but PipeWire's library calls some callbacks later or never.
public struct JackLibrary: Sendable, Equatable {
    /// The library that this process has loaded.
    public static let loaded = JackLibrary(
        versionText: LoadedLibrary.text(of: "jack_get_version_string") ?? "")

    /// The version as the library states it, such as `1.9.21`; empty if it states none.
    public let versionText: String
    /// The version of PipeWire, such as `0.3.65`; `nil` if the library is JACK's own.
    public let pipeWireVersion: String?

    /// Whether the library is PipeWire's.
    public var isPipeWire: Bool { pipeWireVersion != nil }

    /// Whether the library reports random priorities: PipeWire's (seen with 0.3.65) does not check
    /// whether it could read their range.
    var reportsRandomPriorities: Bool { pipeWireVersion?.hasPrefix("0.") ?? false }

    /// Creates a description from the text of `jack_get_version_string`.
    ///
    /// PipeWire's text is `3.0.0.0 (using PipeWire 0.3.65)`.
    package init(versionText: String) {
        self.versionText = versionText
        let words = versionText.split { " ()".contains($0) }
        let name = words.firstIndex(of: "PipeWire")
        let next = name.map(words.index(after:)) ?? words.endIndex
        pipeWireVersion = name.map { _ in next < words.endIndex ? String(words[next]) : "" }
    }
}
