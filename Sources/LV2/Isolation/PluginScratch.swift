internal import CLilv
internal import Glibc

/// A folder for the files that sandboxed plugins create; it is removed with this object.
final class PluginScratch: Sendable {
    /// The folder's path; empty if it could not be created.
    let path: String

    init() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/stompline-XXXXXX".utf8CString)
        path = mkdtemp(&name).map { String(cString: $0) } ?? ""
    }

    deinit { if !path.isEmpty { plugin_remove_folder(path) } }
}
