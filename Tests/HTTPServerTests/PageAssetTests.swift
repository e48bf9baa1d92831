import CPage
import Foundation
import Testing

/// The list of the page's files in the program.
@Suite struct PageAssetTests {
    @Test("each file of the folder is in the program with its content, and nothing else is")
    func files() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CPage/Assets").standardizedFileURL
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { name in
                var isFolder: ObjCBool = false
                let path = folder.appending(path: name).path
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
        var listed: [String: [UInt8]] = [:]
        for index in 0..<page_file_count() {
            let file = page_file(index)
            listed[String(cString: file.path)] = Array(
                UnsafeBufferPointer(start: file.bytes, count: file.size))
        }
        #expect(Set(names) == Set(listed.keys))
        for name in names {
            let content = try Data(contentsOf: folder.appending(path: name))
            #expect(listed[name] == Array(content), "\(name)")
        }
    }
}
