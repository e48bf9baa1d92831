internal import Glibc
internal import Processing

/// The shared library that a plugin is in.
enum PluginLibrary {
    /// Loads a library, for as long as the program runs.
    ///
    /// It is never unloaded: some plugins leave threads or exit handlers behind that run code in it.
    ///
    /// - Throws: `PluginFault` with the loader's own reason.
    static func load(_ path: String) throws(PluginFault) {
        guard !path.isEmpty else { throw PluginFault("the plugin's library is not named") }
        guard dlopen(path, RTLD_NOW | RTLD_LOCAL) == nil else { return }
        let reason = dlerror().map { String(cString: $0) } ?? "\(path): it cannot be loaded"
        throw PluginFault("the plugin's library cannot be loaded: \(reason)")
    }
}
