internal import CLilv
internal import Glibc
internal import Platform
internal import Realtime

/// The files of one plugin instance, for LV2's state extension.
///
/// The features are `state:makePath`, `state:mapPath` and `state:freePath`. Paths that the plugin
/// creates are in its own folder, which is removed with this object. Mapped paths are returned
/// unchanged: they only change when a state is saved or restored, and then lilv maps them.
final class PluginFiles {
    let makePath = Buffer(
        count: 1, repeating: LV2_State_Make_Path(handle: nil, path: makePluginPath))
    let mapPath = Buffer(
        count: 1,
        repeating: LV2_State_Map_Path(
            handle: nil, abstract_path: copyPath, absolute_path: copyPath))
    let freePath = Buffer(
        count: 1, repeating: LV2_State_Free_Path(handle: nil) { _, path in free(path) })
    /// The folder of the files that the plugin created; `nil` until it creates one.
    private(set) var folder: String?

    init() {
        // SAFETY: the plugin calls it during its lifetime, and this object outlives the plugin.
        makePath[0].handle = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { if let folder { plugin_remove_folder(folder) } }

    /// Returns the full path of a file that the plugin will create, and creates its folders.
    ///
    /// - Returns: The path; `nil` if the plugin's folder cannot be created, or the name contains
    ///   "..".
    fileprivate func path(for name: String) -> String? {
        let parts = name.split(separator: "/")
        guard !parts.contains(".."), let folder = folder ?? TemporaryFolder.make() else {
            return nil
        }
        self.folder = folder
        var parent = folder
        for part in parts.dropLast() {
            parent += "/" + part
            mkdir(parent, 0o700)
        }
        return folder + "/" + parts.joined(separator: "/")
    }
}

private func copyPath(
    _: UnsafeMutableRawPointer?, path: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? { path.flatMap { strdup($0) } }

private func makePluginPath(
    files: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
    guard let files, let name else { return nil }
    return Unmanaged<PluginFiles>.fromOpaque(files).takeUnretainedValue()
        .path(for: String(cString: name)).flatMap { strdup($0) }
}
