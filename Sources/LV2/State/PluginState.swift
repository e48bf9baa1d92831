internal import CLilv

/// A state of a plugin as lilv holds it: a preset, a default state, or one that an instance saved.
///
/// It is made with the world's lock held.
final class PluginState {
    let pointer: OpaquePointer

    /// Takes over a state of lilv's.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// The state that is described of a subject: a preset, or a plugin with its default state.
    ///
    /// Nil where there is none.
    convenience init?(of subject: OpaquePointer?, in world: LilvWorldHandle) {
        var map = PluginFeatures.uridMap
        guard let subject, let state = lilv_state_new_from_world(world.pointer, &map, subject)
        else { return nil }
        self.init(state)
    }

    /// The state that a text describes, as `text` writes it; nil where it describes none.
    convenience init?(text: String, in world: LilvWorldHandle) {
        var map = PluginFeatures.uridMap
        guard let state = lilv_state_new_from_string(world.pointer, &map, text) else { return nil }
        self.init(state)
    }

    deinit { lilv_state_free(pointer) }

    /// Whether it holds more than control values.
    var hasProperties: Bool { lilv_state_get_num_properties(pointer) > 0 }

    /// The values of control ports, by symbol.
    var portValues: [String: Float] {
        var values: [String: Float] = [:]
        withUnsafeMutablePointer(to: &values) {
            lilv_state_emit_port_values(pointer, takePortValue, $0)
        }
        return values
    }

    /// The state as Turtle, whatever process reads it; nil where it cannot be written.
    func text(in world: LilvWorldHandle) -> String? {
        var map = PluginFeatures.uridMap
        var unmap = PluginFeatures.uridUnmap
        guard
            let text = lilv_state_to_string(
                world.pointer, &map, &unmap, pointer, "urn:stompline:state", nil)
        else { return nil }
        defer { lilv_free(text) }
        return String(cString: text)
    }

    /// Gives the properties, not the control values, to an instance.
    func restore(to instance: LilvInstance, _ features: PluginFeatures) {
        var instance = instance
        lilv_state_restore(
            pointer, &instance, nil, nil, 0, UnsafePointer(features.stateList.baseAddress))
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
    values.pointee[String(cString: symbol)] = AtomNumber.value(value, ofType: type)
}
