import Platform
import Testing

@Suite("A loaded library")
struct LoadedLibraryTests {
    @Test("is found by one of its functions, without symbolic links")
    func found() {
        let path = LoadedLibrary(defining: "malloc")?.path ?? ""
        #expect(path.hasPrefix("/") && path.contains("libc"))
    }

    @Test("does not exist for an unknown function")
    func unknown() {
        #expect(LoadedLibrary(defining: "stompline_no_such_function")?.path == nil)
        #expect(LoadedLibrary.text(of: "stompline_no_such_function") == nil)
    }

    @Test("states a text")
    func text() {
        let version = LoadedLibrary.text(of: "gnu_get_libc_version")
        #expect(version?.first?.isNumber == true)
    }
}
