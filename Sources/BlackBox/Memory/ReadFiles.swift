internal import Engine
internal import Pipelines
internal import Processing

/// A version of a file that nodes have opened.
struct ReadFile: Sendable, Codable {
    /// The file as it was opened.
    var opened: OpenedFile
    /// The numbers of the schedules whose nodes use this version.
    var schedules: [UInt64] = []
}

/// The files that the nodes of the schedules in a store read.
///
/// A looper replaces its file when it saves. The version that it began with remains open here.
struct ReadFiles {
    /// The versions, the oldest first.
    private var files: [ReadFile] = []

    /// Follows a new schedule.
    mutating func add(_ recipe: ScheduleRecipe, number: UInt64) {
        for opened in recipe.files {
            guard let newest = newest(opened.path), files[newest].opened.stamp == opened.stamp
            else {
                files.append(ReadFile(opened: opened))
                continue
            }
        }
        for path in Set((recipe.pipeline.nodes + recipe.created.values).flatMap(\.filePaths)) {
            if let newest = newest(path) { files[newest].schedules.append(number) }
        }
    }

    private func newest(_ path: String) -> Int? {
        files.lastIndex { $0.opened.path == path }
    }

    /// Forgets the schedules before a number, and the versions that no schedule uses any more; the
    /// newest version of each path remains, for nodes that continue.
    mutating func drop(before number: UInt64) {
        for index in files.indices { files[index].schedules.removeAll { $0 < number } }
        let newestIndices = Set(files.compactMap { newest($0.opened.path) })
        files = files.enumerated().filter { !$1.schedules.isEmpty || newestIndices.contains($0) }
            .map(\.element)
    }

    /// The versions that schedules use.
    var used: [ReadFile] { files.filter { !$0.schedules.isEmpty } }
}

extension [ReadFile] {
    /// The largest number of bytes of all files in a box together.
    private static var mostBytes: Int { 128 << 20 }

    /// Copies the files into a box, the shortest first.
    ///
    /// Of files that would make the box too large, the box contains only the checksums.
    ///
    /// - Parameters:
    ///   - folder: The folder of the box.
    ///   - isPrivate: Whether the contents are left out.
    /// - Returns: The files, for the facts of the box.
    func copied(to folder: String, isPrivate: Bool) -> [BoxFile] {
        let ordered = sorted {
            ($0.opened.stamp?.bytes ?? 0, $0.opened.path)
                < ($1.opened.stamp?.bytes ?? 0, $1.opened.path)
        }
        var (total, files) = (0, [BoxFile]())
        for read in ordered {
            let fits =
                total.addingClamped(read.opened.stamp?.bytes ?? 0) <= Self.mostBytes
            let name = fits ? "file-\(files.count + 1)" + read.ending : ""
            let file = read.copied(to: folder, named: name, isPrivate: isPrivate)
            if file.state == .kept { total += file.byteCount }
            files.append(file)
        }
        return files
    }
}

extension ReadFile {
    /// The ending of the path, with its point; empty without one.
    fileprivate var ending: String {
        let name = opened.path.split(separator: "/").last ?? ""
        return name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    }

    /// Copies the file into a box.
    ///
    /// - Parameters:
    ///   - folder: The folder of the box.
    ///   - name: The name of the copy; empty to find only the checksum.
    ///   - isPrivate: Whether the contents are left out.
    /// - Returns: The file, for the facts of the box.
    fileprivate func copied(to folder: String, named name: String, isPrivate: Bool) -> BoxFile {
        var file = BoxFile(path: opened.path, schedules: schedules, state: .leftOut)
        guard let stamp = opened.stamp else {
            file.state = .absent
            return file
        }
        if isPrivate { return file }
        guard let handle = opened.handle ?? OpenFile(path: opened.path), handle.stamp == stamp,
            let copy = FileCopy(
                of: handle.descriptor, to: name.isEmpty ? nil : "\(folder)/\(name)")
        else {
            file.state = .changed
            return file
        }
        (file.state, file.name) = (name.isEmpty ? .outside : .kept, name)
        (file.byteCount, file.checksum) = (copy.byteCount, copy.checksum)
        return file
    }
}
