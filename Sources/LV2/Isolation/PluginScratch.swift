internal import CLilv
internal import Platform

/// A folder for the files that sandboxed plugins create; it is removed with this object.
final class PluginScratch: Sendable {
    /// The folder's path; empty if it could not be created.
    let path: String

    init() { path = TemporaryFolder.make() ?? "" }

    deinit { if !path.isEmpty { plugin_remove_folder(path) } }
}
