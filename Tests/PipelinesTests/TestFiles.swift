internal import FoundationEssentials
internal import Glibc

/// Files next to these tests.
enum TestFiles {
    private static let folder = String(#filePath.dropLast("TestFiles.swift".count))

    /// Returns the names of a folder's files with an extension, sorted.
    static func names(in part: String, extension suffix: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder + part)) ?? []
        return all.filter { $0.hasSuffix("." + suffix) }.sorted()
    }

    static func path(_ part: String) -> String { folder + part }

    static func bytes(_ part: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: folder + part)))
    }

    /// Whether to record the expected texts again: with `RECORD=1` in the environment.
    static var isRecording: Bool { getenv("RECORD") != nil }

    static func write(_ text: String, to part: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder + part))
    }

    static func text(_ part: String) throws -> String {
        String(decoding: try bytes(part), as: UTF8.self)
    }
}
