internal import Glibc

/// What the files of a recorder's takes are called.
struct TakeName: Sendable {
    /// The path with conversions of `strftime`.
    let pattern: String
    /// Added where the pattern has no extension.
    let format: TakeFormat

    /// Makes the file of a take, with the folders that lead to it; where there is one of its name, with a number behind that.
    ///
    /// - Throws: `TakeFault` where it can't be made.
    func makeFile(at time: TakeTime) throws(TakeFault) -> GrowingFile {
        let (stem, ending) = parts(of: try expanded(at: time))
        try makeFolders(to: stem)
        for number in 1...100_000 {
            let path = number == 1 ? stem + ending : "\(stem)-\(number)\(ending)"
            if let file = try GrowingFile.make(path) { return file }
        }
        throw TakeFault("there are 100000 takes of this name")
    }

    /// The path of a take that begins at a time.
    func expanded(at time: TakeTime) throws(TakeFault) -> String {
        guard pattern.contains("%") else { return pattern }
        var parts = time.parts
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = strftime(&text, text.count, pattern, &parts)
        let path = String(
            decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard count > 0 else { throw TakeFault("its name is longer than paths may be") }
        // A conversion that comes to nothing must not lead out of the folder that was permitted.
        guard Self.stepsUp(path) == Self.stepsUp(pattern) else {
            throw TakeFault("its name leads out of its folder")
        }
        return path
    }

    private static func stepsUp(_ path: String) -> Int {
        path.split(separator: "/").count { $0 == ".." }
    }

    /// The path without its extension, and the extension with its dot.
    private func parts(of path: String) -> (stem: String, ending: String) {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[name...].lastIndex(of: "."), dot > name,
            TakeFormat(extension: String(path[path.index(after: dot)...])) != nil
        else { return (path, ".\(format.rawValue)") }
        return (String(path[..<dot]), String(path[dot...]))
    }

    private func makeFolders(to path: String) throws(TakeFault) {
        var place = path.startIndex
        while let slash = path[place...].firstIndex(of: "/") {
            place = path.index(after: slash)
            let folder = String(path[..<slash])
            guard folder.isEmpty || mkdir(folder, 0o777) == 0 || errno == EEXIST else {
                // One that may not be written in may well be there.
                guard access(folder, F_OK) == 0 else { throw .system() }
                continue
            }
        }
    }
}

/// When a take began.
enum TakeTime {
    /// By the clock on the wall.
    case local(time_t)
    /// By the clock of a render, which begins with 1970.
    case rendered(seconds: Double)

    /// The present time.
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
