internal import CLilv
internal import Glibc
internal import Processing
internal import Realtime

/// The shared library that contains a plugin.
///
/// It is never unloaded, because some plugins leave threads or exit handlers that run its code.
struct PluginLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Loads a library.
    ///
    /// - Throws: `PluginError` with the loader's own reason.
    init(path: String) throws(PluginError) {
        guard !path.isEmpty else { throw PluginError("the plugin's description names no library") }
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? path
            throw PluginError("the plugin's library cannot be loaded: \(reason)")
        }
        self.handle = handle
    }

    /// Returns the descriptor of one of the library's plugins.
    ///
    /// - Throws: `PluginError` if the library does not contain the plugin.
    func descriptor(of shape: PluginShape, _ features: PluginFeatures) throws(PluginError)
        -> UnsafePointer<LV2_Descriptor>
    {
        guard let find = finder(shape.bundlePath, features) else {
            throw PluginError("its library is not an LV2 plugin library")
        }
        var index: UInt32 = 0
        while let descriptor = find(index) {
            if let uri = descriptor.pointee.URI, String(cString: uri) == shape.uri {
                return descriptor
            }
            index += 1
        }
        throw PluginError("the plugin is not in its library")
    }

    private typealias Finder = (UInt32) -> UnsafePointer<LV2_Descriptor>?

    /// Returns the library's function that finds plugins by index, in either of LV2's two forms.
    private func finder(_ bundlePath: String, _ features: PluginFeatures) -> Finder? {
        // SAFETY: LV2 defines the type of a symbol with this name.
        if let symbol = dlsym(handle, "lv2_descriptor") {
            return unsafeBitCast(symbol, to: LV2_Descriptor_Function.self)
        }
        guard let symbol = dlsym(handle, "lv2_lib_descriptor") else { return nil }
        let open = unsafeBitCast(symbol, to: LV2_Lib_Descriptor_Function.self)
        guard let library = open(bundlePath, features.list.start) else { return nil }
        return { index in library.pointee.get_plugin?(library.pointee.handle, index) }
    }
}
