internal import CLilv
internal import Glibc
internal import Processing

/// The shared library that a plugin is in.
///
/// It is never unloaded: some plugins leave threads or exit handlers behind that run code in it.
struct PluginLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Loads a library.
    ///
    /// - Throws: `PluginFault` with the loader's own reason.
    init(path: String) throws(PluginFault) {
        guard !path.isEmpty else { throw PluginFault("the plugin's library is not named") }
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? path
            throw PluginFault("the plugin's library cannot be loaded: \(reason)")
        }
        self.handle = handle
    }

    /// The functions of one of the library's plugins.
    ///
    /// - Throws: `PluginFault` where the plugin is not in the library.
    func descriptor(of shape: PluginShape, _ features: PluginFeatures) throws(PluginFault)
        -> UnsafePointer<LV2_Descriptor>
    {
        guard let find = finder(shape.bundlePath, features) else {
            throw PluginFault("its library is not one of LV2 plugins")
        }
        var index: UInt32 = 0
        while let descriptor = find(index) {
            if let uri = descriptor.pointee.URI, String(cString: uri) == shape.uri {
                return descriptor
            }
            index += 1
        }
        throw PluginFault("the plugin is not in its library")
    }

    private typealias Finder = (UInt32) -> UnsafePointer<LV2_Descriptor>?

    /// The library's own function that gives its plugins by their indices, in either of LV2's two forms.
    private func finder(_ bundlePath: String, _ features: PluginFeatures) -> Finder? {
        // SAFETY: LV2 says of what type a symbol of this name is.
        if let symbol = dlsym(handle, "lv2_descriptor") {
            return unsafeBitCast(symbol, to: LV2_Descriptor_Function.self)
        }
        guard let symbol = dlsym(handle, "lv2_lib_descriptor") else { return nil }
        let open = unsafeBitCast(symbol, to: LV2_Lib_Descriptor_Function.self)
        guard let library = open(bundlePath, features.list.baseAddress) else { return nil }
        return { index in library.pointee.get_plugin?(library.pointee.handle, index) }
    }
}
