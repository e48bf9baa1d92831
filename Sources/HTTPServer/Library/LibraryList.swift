internal import Pipelines
internal import SoundFiles
internal import Synchronization

/// Lists the files of a folder and those below it that nodes can use.
///
/// It blocks; only blocking tasks use it. It remembers the facts about sound files until they change.
final class LibraryList: Sendable {
    /// The largest number of files in a list.
    static let mostFiles = 2_000
    /// The largest number of names that are read in one folder.
    private static let mostNames = 10_000
    /// The largest number of sound files that are opened for a list.
    private static let mostOpened = 500
    /// The largest number of remembered facts.
    private static let mostFacts = 10_000

    /// The facts about a sound file.
    private enum Facts: Sendable {
        case sound(seconds: Double, rate: Double, channels: Int)
        case unreadable
    }

    private let known = Mutex<[String: Facts]>([:])

    /// Returns the files as JSON.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The object.
    /// - Throws: `LibraryRefusal` if the folder cannot be read.
    func json(ofFolder path: String) throws(LibraryRefusal) -> JSONValue {
        var walk = Walk()
        visit(try LibraryFolder(path: path), [], &walk)
        return [
            "folder": .string(path), "files": .array(walk.files), "truncated": .bool(walk.isCut),
        ]
    }

    /// The files that were found so far.
    private struct Walk {
        var files: [JSONValue] = []
        var isCut = false
        var opened = 0
    }

    private func visit(_ folder: LibraryFolder, _ names: [String], _ walk: inout Walk) {
        let entries = folder.names(limit: Self.mostNames).compactMap { try? folder.entry($0) }
        for entry in entries where !entry.isFolder {
            guard let kind = LibraryFileKind(ofName: entry.name) else { continue }
            guard walk.files.count < Self.mostFiles else {
                walk.isCut = true
                return
            }
            walk.files.append(file(entry, kind, in: folder, names, &walk))
        }
        guard names.count < LibraryPath.mostFolders else { return }
        // A link to a folder could lead back to a folder above it.
        for entry in entries where entry.isFolder && !entry.isLink {
            guard let below = try? folder.folder([entry.name]) else { continue }
            visit(below, names + [entry.name], &walk)
        }
    }

    private func file(
        _ entry: LibraryFolder.Entry, _ kind: LibraryFileKind, in folder: LibraryFolder,
        _ names: [String], _ walk: inout Walk
    ) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("path", .string((names + [entry.name]).joined(separator: "/"))),
            .init("kind", .string(kind.rawValue)), .init("bytes", .integer(entry.byteCount)),
            .init("changed", .integer(entry.changedSeconds)), .init("tag", .string(entry.tag)),
        ]
        guard kind == .sound else { return .object(members) }
        switch facts(of: entry, in: folder, &walk) {
        case .sound(let seconds, let rate, let channels)?:
            members += [
                .init("seconds", .number(seconds)), .init("sample_rate", .number(rate)),
                .init("channels", .integer(channels)),
            ]
        case .unreadable?: members.append(.init("readable", .bool(false)))
        case nil: break
        }
        return .object(members)
    }

    private func facts(
        of entry: LibraryFolder.Entry, in folder: LibraryFolder, _ walk: inout Walk
    ) -> Facts? {
        // The tag contains the number of the file's inode and its time.
        if let facts = known.withLock({ $0[entry.tag] }) { return facts }
        guard walk.opened < Self.mostOpened else { return nil }
        walk.opened += 1
        let facts: Facts
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: folder.path(of: entry.name))
            facts = .sound(
                seconds: Double(reader.frameCount) / reader.sampleRate, rate: reader.sampleRate,
                channels: reader.channels)
        } catch {
            facts = .unreadable
        }
        known.withLock { known in
            if known.count >= Self.mostFacts { known = [:] }
            known[entry.tag] = facts
        }
        return facts
    }
}
