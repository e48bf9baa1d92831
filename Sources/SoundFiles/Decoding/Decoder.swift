internal import Glibc

/// How ffmpeg's programs are called: no shell, nothing that a file's name could turn into an option, local files alone.
enum Decoder {
    /// Formats that hold sound themselves: a playlist would lead to other files, or out of the machine.
    private static let formats = [
        "3gp", "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "avi", "caf", "dsf", "dts", "dtshd",
        "eac3", "flac", "flv", "iff", "loas", "m4a", "matroska", "mlp", "mov", "mp3", "mp4", "mpc",
        "mpc8", "mpeg", "mpegts", "oga", "ogg", "oma", "ogv", "rm", "shn", "sox", "tak", "truehd",
        "tta", "voc", "w64", "wav", "webm", "wv", "xwma",
    ]

    /// The options that say which file is read, by its absolute path, with what else concerns its reading.
    static func input(_ path: String, _ options: [String] = []) -> [String] {
        [
            "-protocol_whitelist", "file", "-format_whitelist", formats.joined(separator: ","),
        ] + options + ["-i", "file:" + absolute(path)]
    }

    /// The fault of a program that did not start.
    static func fault(_ path: String, _ start: ChildProgram.StartFault) -> SoundFileFault {
        let unknown = "libsndfile does not know its format"
        if start.reason == ENOENT {
            return SoundFileFault(
                path, .reading, "\(unknown), and ffmpeg, which may, is not installed")
        }
        let words = strerror(start.reason).map { String(cString: $0) } ?? "error \(start.reason)"
        return SoundFileFault(path, .reading, "\(unknown), and ffmpeg does not start: \(words)")
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
