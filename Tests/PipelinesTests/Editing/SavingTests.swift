internal import FoundationEssentials
internal import Glibc
internal import Pipelines
internal import Testing
internal import TestSignals

@Suite("Saving a text")
struct SavingTests {
    private let scratch = ScratchFolder()
    private var folder: String { scratch.path }
    private let old: PipelineText
    private let new: PipelineText

    init() throws {
        old = try PipelineText(Array("{ \"version\": 1 }\n".utf8))
        let patch = #"[{"op": "add", "path": "/tempo", "value": 90}]"#
        new = try old.applying(JSONPatch(parsing: Array(patch.utf8)))
    }

    private func write(_ name: String, mode: mode_t = 0o640) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(old.bytes).write(to: URL(filePath: path))
        #expect(chmod(path, mode) == 0)
        return path
    }

    private func contents(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    @Test("the file has the new text, its mode and its owner, and no other file remains")
    func whole() throws {
        let path = try write("a.json", mode: 0o604)
        if geteuid() == 0 { #expect(chown(path, 12345, 54321) == 0) }
        var before = stat()
        #expect(stat(path, &before) == 0)
        try new.save(to: path, over: old)
        var after = stat()
        #expect(stat(path, &after) == 0)
        #expect(try contents(path) == new.bytes)
        #expect(after.st_mode == before.st_mode)
        #expect(after.st_uid == before.st_uid && after.st_gid == before.st_gid)
        #expect(after.st_ino != before.st_ino, "it was replaced, not written over")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.json"])
    }

    @Test("a symbolic link is kept, and its file is replaced")
    func links() throws {
        let path = try write("real.json")
        let link = "\(folder)/link.json"
        #expect(symlink("real.json", link) == 0)
        try new.save(to: link, over: old)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(try contents(path) == new.bytes)
    }

    @Test("a file that another program has changed meanwhile is not overwritten")
    func changed() throws {
        let path = try write("a.json")
        try new.save(to: path, over: old)
        #expect(throws: EditError.self) { try old.save(to: path, over: old) }
        #expect(try contents(path) == new.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.json"])
    }

    @Test("a missing file, or one that is not a regular file, is refused")
    func refused() throws {
        for path in ["\(folder)/none.json", folder, "", "a\0b"] {
            #expect(throws: EditError.self) { try new.save(to: path, over: old) }
        }
    }
}
