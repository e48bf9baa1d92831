import Control
import TestSignals
import Testing

@Suite("The folders of watched files")
struct PathFoldersTests {
    @Test("are found with one look at each file of a folder", arguments: [10, 500])
    func shared(count: Int) {
        let scratch = ScratchFolder()
        let paths = (0..<count).map { scratch.write("{}", to: "\($0).json") }
        let search = PathFolders(of: paths)
        #expect(search.folders == [scratch.path])
        let depth = scratch.path.split(separator: "/").count
        #expect(search.lookupCount == count + depth)
        #expect(PathFolders(of: [paths[0]]).folders == search.folders)
    }
}
