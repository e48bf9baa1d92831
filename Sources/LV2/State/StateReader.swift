internal import CLilv

/// Reads the control values of presets and of default states.
struct StateReader {
    let world: LilvWorldHandle

    /// Whether the state of a subject holds more than control values.
    func hasProperties(_ subject: OpaquePointer?) -> Bool {
        withState(of: subject) { lilv_state_get_num_properties($0) > 0 } ?? false
    }

    /// The state's values of control ports, by symbol.
    ///
    /// Nil where there is no such state.
    func portValues(of subject: OpaquePointer?) -> [String: Float]? {
        withState(of: subject) { state in
            var values: [String: Float] = [:]
            withUnsafeMutablePointer(to: &values) {
                lilv_state_emit_port_values(state, takePortValue, $0)
            }
            return values
        }
    }

    private func withState<Result>(of subject: OpaquePointer?, _ body: (OpaquePointer) -> Result)
        -> Result?
    {
        var map = PluginFeatures.uridMap
        guard let subject, let state = lilv_state_new_from_world(world.pointer, &map, subject)
        else { return nil }
        defer { lilv_state_free(state) }
        return body(state)
    }
}

/// Called by lilv for each port value of a state.
private func takePortValue(
    symbol: UnsafePointer<CChar>?, values: UnsafeMutableRawPointer?, value: UnsafeRawPointer?,
    byteCount: UInt32, type: UInt32
) {
    guard let symbol, let value,
        let values = values?.assumingMemoryBound(to: [String: Float].self)
    else { return }
    let number: Float? =
        switch Namespace.atom.term(of: URIDTable.unmap(type)) {
        case "Float": value.loadUnaligned(as: Float.self)
        case "Double": Float(value.loadUnaligned(as: Double.self))
        case "Int", "Bool": Float(value.loadUnaligned(as: Int32.self))
        case "Long": Float(value.loadUnaligned(as: Int64.self))
        default: nil
        }
    values.pointee[String(cString: symbol)] = number
}
