internal import ArgumentParser
internal import OfflineHost

/// Reads `NAME=FILE` on the command line; the name may be left out for the first signal.
struct NamedFileArgument {
    /// Returns the parts of an argument, for a pipeline whose signals have these names.
    ///
    /// - Throws: `Failure` if it is empty, or if it has no name and there is no signal.
    static func resolve(
        _ argument: String, option: String, names: [String]
    ) throws -> RenderRequest.NamedFile {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, isName(parts[0]) {
            return try file(String(parts[0]), String(parts[1]), argument, option)
        }
        guard let first = names.first else {
            throw Failure.usage("\(option) '\(argument)': the pipeline has no signal of this kind")
        }
        return try file(first, argument, argument, option)
    }

    private static func file(
        _ name: String, _ path: String, _ argument: String, _ option: String
    ) throws -> RenderRequest.NamedFile {
        if path.isEmpty { throw Failure.usage("\(option) '\(argument)' contains no file name") }
        return RenderRequest.NamedFile(name, path)
    }

    /// Returns whether a text can be a signal's name rather than the start of a path.
    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
    }
}
