internal import Glibc
internal import Processing

/// The pattern for the file names of a recorder's takes.
struct TakeName: Sendable {
    /// The path, with conversions of `strftime`.
    let pattern: String
    /// The format, whose extension is added if the pattern has none.
    let format: TakeFormat

    /// Creates the file of a take and its folders; if the name exists, adds a number.
    ///
    /// - Throws: `TakeError` if the file cannot be created.
    func makeFile(at time: TakeTime) throws(TakeError) -> GrowingFile {
        let (stem, ending) = parts(of: try expanded(at: time))
        try makeFolders(to: stem)
        for number in 1...100_000 {
            let path = number == 1 ? stem + ending : "\(stem)-\(number)\(ending)"
            if let file = try GrowingFile.make(path) { return file }
        }
        throw TakeError("there are already 100000 takes with this name")
    }

    /// Returns the path of a take that starts at a time.
    private func expanded(at time: TakeTime) throws(TakeError) -> String {
        guard pattern.contains("%") else { return pattern }
        var parts = time.parts
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = strftime(&text, text.count, pattern, &parts)
        let path = String(
            decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard count > 0 else { throw TakeError("its name is longer than a path may be") }
        // An expanded conversion must not lead out of the permitted folder.
        guard Self.stepsUp(path) == Self.stepsUp(pattern) else {
            throw TakeError("its name points outside its folder")
        }
        return path
    }

    /// The longest file name (`NAME_MAX`) and path (`PATH_MAX`) in bytes, less a number such as
    /// "-99999".
    private static let most = (name: Int(NAME_MAX) - 6, path: Int(PATH_MAX) - 1 - 6)

    /// Checks that every name from the pattern fits into file systems.
    ///
    /// - Throws: `SettingError` for `file` with the length of the name and the limit.
    func checkLengths() throws(SettingError) {
        // A Wednesday in September has the longest name of all days.
        guard let path = try? expanded(at: .rendered(seconds: 1_758_715_199)) else {
            throw SettingError(
                "file", .range,
                "the path of a take would be longer than the maximum of \(Self.most.path) bytes; shorten it"
            )
        }
        let (stem, ending) = parts(of: path)
        let whole = stem + ending
        for part in whole.split(separator: "/") where part.utf8.count > Self.most.name {
            throw SettingError(
                "file", .range,
                "a name in the path of a take has \(part.utf8.count) bytes; at most \(Self.most.name) are allowed; shorten it"
            )
        }
        guard whole.utf8.count <= Self.most.path else {
            throw SettingError(
                "file", .range,
                "the path of a take has \(whole.utf8.count) bytes; at most \(Self.most.path) are allowed; shorten it"
            )
        }
    }

    private static func stepsUp(_ path: String) -> Int {
        path.split(separator: "/").count { $0 == ".." }
    }

    /// Returns the path without its extension, and the extension with its dot.
    private func parts(of path: String) -> (stem: String, ending: String) {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[name...].lastIndex(of: "."), dot > name,
            TakeFormat(extension: String(path[path.index(after: dot)...])) != nil
        else { return (path, ".\(format.rawValue)") }
        return (String(path[..<dot]), String(path[dot...]))
    }

    private func makeFolders(to path: String) throws(TakeError) {
        var start = path.startIndex
        while let slash = path[start...].firstIndex(of: "/") {
            start = path.index(after: slash)
            let folder = String(path[..<slash])
            guard folder.isEmpty || mkdir(folder, 0o777) == 0 || errno == EEXIST else {
                // A folder without write permission can exist nevertheless.
                guard access(folder, F_OK) == 0 else { throw .system() }
                continue
            }
        }
    }
}

/// The time when a take starts.
enum TakeTime {
    /// A time of the system's clock.
    case local(time_t)
    /// A time in a render, counted from the start of 1970.
    case rendered(seconds: Double)

    /// The current time.
    static var now: TakeTime { .local(time(nil)) }

    fileprivate var parts: tm {
        var parts = tm()
        switch self {
        case .local(var time): localtime_r(&time, &parts)
        case .rendered(let seconds):
            var time = time_t(seconds)
            gmtime_r(&time, &parts)
        }
        return parts
    }
}
