internal import CLilv
internal import Realtime

/// A plugin's interface for setting and reading options after instantiation.
struct OptionsInterface {
    private let interface: UnsafePointer<LV2_Options_Interface>
    private let handle: LV2_Handle

    /// Gets the plugin's interface; `nil` if it has none.
    init?(_ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle) {
        // SAFETY: LV2 defines the type of the data for this URI.
        guard let data = descriptor.pointee.extension_data?(Namespace.options("interface")) else {
            return nil
        }
        interface = data.assumingMemoryBound(to: LV2_Options_Interface.self)
        self.handle = handle
    }

    /// Sets all options, and reads back the values that the plugin uses.
    ///
    /// - Returns: The URIs of the options for which the plugin reports another value.
    func settle(_ options: PluginOptions) -> [String] {
        guard let set = interface.pointee.set else { return [] }
        _ = set(handle, options.options.start)
        guard let get = interface.pointee.get else { return [] }
        let offered = UnsafeBufferPointer(
            start: options.options.start, count: options.options.count)
        return offered.dropLast().filter { option in
            var asked = [
                LV2_Options_Option(
                    context: option.context, subject: option.subject, key: option.key, size: 0,
                    type: 0, value: nil),
                LV2_Options_Option(),
            ]
            _ = get(handle, &asked)
            guard let given = asked[0].value, asked[0].size == option.size, option.size == 4,
                asked[0].type == option.type
            else { return false }
            return given.loadUnaligned(as: UInt32.self)
                != option.value.loadUnaligned(as: UInt32.self)
        }.compactMap { URIDTable.unmap($0.key) }
    }
}
