internal import CLilv

extension PluginState {
    /// Returns the numbers that the state contains for properties, by URI.
    ///
    /// lilv passes a state's properties only to plugins, so this function acts as one.
    func numbers(of properties: [PropertyShape]) -> [String: Float] {
        var asked = RequestedNumbers(properties: properties.filter(\.type.isNumber).map(\.uri))
        var descriptor = LV2_Descriptor()
        descriptor.extension_data = { _ in UnsafeRawPointer(RequestedNumbers.interface) }
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

/// A query to a state, and its results.
private struct RequestedNumbers {
    let properties: [String]
    var numbers: [String: Float] = [:]

    /// LV2's interface for states, never freed.
    nonisolated(unsafe) static let interface: UnsafeMutablePointer<LV2_State_Interface> = {
        let interface = UnsafeMutablePointer<LV2_State_Interface>.allocate(capacity: 1)
        interface.initialize(to: LV2_State_Interface(save: nil, restore: readNumbers))
        return interface
    }()
}

/// Reads the queried numbers when lilv restores the state.
private func readNumbers(
    asked: LV2_Handle?, retrieve: LV2_State_Retrieve_Function?, state: LV2_State_Handle?,
    _: UInt32, _: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
    // SAFETY: `numbers` passes the query, which lives until lilv returns.
    guard let retrieve, let asked = asked?.assumingMemoryBound(to: RequestedNumbers.self) else {
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
