internal import Glibc
internal import Platform

/// The arguments of ffmpeg's programs, which make sure that they read only the given local file.
///
/// No shell is used, and a file name cannot be mistaken for an option.
enum Decoder {
    /// Formats that contain sound themselves; a playlist could lead to other files or hosts.
    private static let formats = [
        "3gp", "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "caf", "dsf", "dts", "dtshd",
        "eac3", "flac", "flv", "iff", "loas", "m4a", "matroska", "mlp", "mov", "mp3", "mp4", "mpc",
        "mpc8", "mpeg", "mpegts", "oga", "ogg", "oma", "ogv", "rm", "shn", "sox", "tak", "truehd",
        "tta", "voc", "w64", "wav", "webm", "wv", "xwma",
    ]

    /// Returns the options for an input file by its absolute path, with further input options.
    static func input(_ path: String, _ options: [String] = []) -> [String] {
        [
            "-protocol_whitelist", "file", "-format_whitelist", formats.joined(separator: ","),
        ] + options + ["-i", "file:" + (AbsolutePath.keepingLinks(path) ?? path)]
    }

    /// Returns the error for a program that did not start.
    static func error(_ path: String, _ start: SystemError) -> SoundFileError {
        let unknown = "libsndfile does not know its format"
        if start.number == ENOENT {
            return SoundFileError(
                path, .reading,
                "\(unknown), and ffmpeg, which reads more formats, is not installed")
        }
        return SoundFileError(
            path, .reading, "\(unknown), and ffmpeg cannot be started: \(start.message)")
    }
}
