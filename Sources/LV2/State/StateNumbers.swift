internal import CLilv

extension PluginState {
    /// The numbers that the state gives to properties, by their URIs.
    ///
    /// lilv tells a state's properties to plugins alone, so this plays one.
    func numbers(of properties: [PropertyShape]) -> [String: Float] {
        var asked = AskedNumbers(properties: properties.filter(\.type.isNumber).map(\.uri))
        var descriptor = LV2_Descriptor()
        descriptor.extension_data = { _ in UnsafeRawPointer(AskedNumbers.interface) }
        withUnsafeMutablePointer(to: &asked) { asked in
            withUnsafePointer(to: &descriptor) { descriptor in
                var instance = LilvInstance(
                    lv2_descriptor: descriptor, lv2_handle: asked, pimpl: nil)
                lilv_state_restore(pointer, &instance, nil, nil, 0, nil)
            }
        }
        return asked.numbers
    }
}

/// What is asked of a state, and its answers.
private struct AskedNumbers {
    let properties: [String]
    var numbers: [String: Float] = [:]

    /// LV2's interface for states, never freed.
    nonisolated(unsafe) static let interface: UnsafeMutablePointer<LV2_State_Interface> = {
        let interface = UnsafeMutablePointer<LV2_State_Interface>.allocate(capacity: 1)
        interface.initialize(to: LV2_State_Interface(save: nil, restore: takeNumbers))
        return interface
    }()
}

/// Called by lilv to give a plugin its state.
private func takeNumbers(
    asked: LV2_Handle?, retrieve: LV2_State_Retrieve_Function?, state: LV2_State_Handle?,
    _: UInt32, _: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
    // SAFETY: `numbers` passes what it asks, and waits for lilv's end.
    guard let retrieve, let asked = asked?.assumingMemoryBound(to: AskedNumbers.self) else {
        return LV2_STATE_ERR_UNKNOWN
    }
    for property in asked.pointee.properties {
        var byteCount = 0
        var type: UInt32 = 0
        var flags: UInt32 = 0
        guard let value = retrieve(state, URIDTable.map(property), &byteCount, &type, &flags)
        else { continue }
        asked.pointee.numbers[property] = AtomNumber.value(value, ofType: type)
    }
    return LV2_STATE_SUCCESS
}
