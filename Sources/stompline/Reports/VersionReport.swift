internal import Glibc
internal import JackHost
internal import Platform

/// The versions of the program, the system and the libraries that the program has loaded, for bug
/// reports.
struct VersionReport {
    /// A name and a version.
    struct Line {
        let name: String
        let version: String
    }

    let lines: [Line]

    /// Reads the versions of this process.
    init() {
        let jack = JackLibrary.loaded
        lines =
            [
                Line(name: "stompline", version: Version.text),
                Line(name: "Swift", version: "\(_SwiftStdlibVersion.current)"),
                Line(name: "Linux", version: Self.system),
                Self.library(
                    "C library", defining: "malloc", LoadedLibrary.text(of: "gnu_get_libc_version")),
                Self.library("JACK library", defining: "jack_client_open", jack.versionText),
            ]
            + [jack.pipeWireVersion.map { Line(name: "PipeWire", version: $0) }].compactMap { $0 }
            + [
                Self.library("lilv", defining: "lilv_world_new"),
                Self.library(
                    "libsndfile", defining: "sf_open", LoadedLibrary.text(of: "sf_version_string")),
                Self.library("libebur128", defining: "ebur128_init"),
                Self.library("FLAC", defining: "FLAC__stream_encoder_new"),
                Self.library(
                    "Vorbis", defining: "vorbis_info_init",
                    LoadedLibrary.text(of: "vorbis_version_string")),
                Self.library("liblo", defining: "lo_message_new"),
                Self.library("GnuTLS", defining: "gnutls_global_init"),
            ]
    }

    /// One line per version, in columns.
    var text: String {
        var table = TextTable([.left, .left])
        for line in lines { table.add([line.name, line.version]) }
        return table.text
    }

    /// Returns the line of a library: the version that it states, if any, and its file, whose name
    /// contains another version number.
    private static func library(
        _ name: String, defining symbol: String, _ stated: String? = nil
    ) -> Line {
        let path = LoadedLibrary(defining: symbol)?.path ?? "not loaded"
        let version = stated.flatMap { $0.isEmpty ? nil : $0 }
        return Line(name: name, version: version.map { "\($0), \(path)" } ?? path)
    }

    /// The release of the kernel, and the machine.
    private static var system: String {
        var names = utsname()
        uname(&names)
        return text(of: names.release) + ", " + text(of: names.machine)
    }

    /// Returns the text in a C array of characters.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
