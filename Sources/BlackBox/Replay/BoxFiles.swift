internal import Processing

/// The files of a box on the machine that replays it.
struct BoxFiles {
    private let files: [BoxFile]
    private let folder: String
    /// The paths of files outside the box that are still the same.
    private let present: Set<String>
    /// The names of files in the box that are still the same.
    private let intact: Set<String>

    /// Looks for the files of a box.
    ///
    /// - Parameters:
    ///   - files: The files that the box states.
    ///   - folder: The folder of the box.
    init(_ files: [BoxFile], folder: String) {
        self.files = files
        self.folder = folder
        present = Set(
            files.filter { $0.state == .outside && Self.isSame($0, at: $0.path) }.map(\.path))
        // A name with a slash could leave the folder.
        intact = Set(
            files.filter {
                $0.state == .kept && !$0.name.contains("/")
                    && Self.isSame($0, at: "\(folder)/\($0.name)")
            }.map(\.name))
    }

    private static func isSame(_ file: BoxFile, at path: String) -> Bool {
        guard let handle = OpenFile(path: path) else { return false }
        let copy = FileCopy(of: handle.descriptor, to: nil)
        return copy?.byteCount == file.byteCount && copy?.checksum == file.checksum
    }

    private func file(_ path: String, _ schedule: UInt64) -> BoxFile? {
        files.last { $0.path == path && $0.schedules.contains(schedule) }
    }

    /// Returns the files to open in a schedule instead of those that its nodes name, by path.
    func replacements(inSchedule schedule: UInt64) -> [String: String] {
        var paths: [String: String] = [:]
        for file in files where file.schedules.contains(schedule) {
            switch file.state {
            case .kept: paths[file.path] = "\(folder)/\(file.name)"
            case .outside: paths[file.path] = file.path
            // A file that did not exist during the session must not be opened if it exists now.
            case .absent: paths[file.path] = "\(folder)/absent.wav"
            case .changed, .leftOut: break
            }
        }
        return paths
    }

    /// Returns why a file that a node of a schedule reads is not there; `nil` if it is there.
    func missing(_ path: String, inSchedule schedule: UInt64) -> Replay.MissingFile? {
        guard let file = file(path, schedule) else { return .notThere }
        return switch file.state {
        case .kept: intact.contains(file.name) ? nil : .notThere
        case .outside: present.contains(path) ? nil : .notThere
        case .absent: nil
        case .changed: .changed
        case .leftOut: .leftOut
        }
    }
}
