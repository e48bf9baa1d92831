internal import CLilv
internal import Realtime

/// A plugin state that lilv owns: a preset, a default state, or a state saved by an instance.
///
/// The world's lock must be held to create it.
final class PluginState {
    let pointer: OpaquePointer

    /// Takes ownership of a state from lilv.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Reads the described state of a subject: of a preset, or of a plugin with a default state.
    ///
    /// `nil` if the subject has no state.
    convenience init?(of subject: OpaquePointer?, in world: LilvWorldHandle) {
        var map = PluginFeatures.uridMap
        guard let subject, let state = lilv_state_new_from_world(world.pointer, &map, subject)
        else { return nil }
        self.init(state)
    }

    /// Parses a text that `text` wrote; `nil` if it is not a state.
    convenience init?(text: String, in world: LilvWorldHandle) {
        var map = PluginFeatures.uridMap
        guard let state = lilv_state_new_from_string(world.pointer, &map, text) else { return nil }
        self.init(state)
    }

    deinit { lilv_state_free(pointer) }

    /// Whether the state contains more than control values.
    var hasProperties: Bool { lilv_state_get_num_properties(pointer) > 0 }

    /// The values of control ports, by symbol.
    var portValues: [String: Float] {
        var values: [String: Float] = [:]
        withUnsafeMutablePointer(to: &values) {
            lilv_state_emit_port_values(pointer, readPortValue, $0)
        }
        return values
    }

    /// Returns the state as Turtle, which any process can read; `nil` if it cannot be written.
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

    /// Restores the properties in an instance, but not the control values.
    func restore(to instance: LilvInstance, _ features: PluginFeatures) {
        var instance = instance
        lilv_state_restore(
            pointer, &instance, nil, nil, 0, UnsafePointer(features.stateList.start))
    }
}

/// Receives a port value of a state from lilv.
private func readPortValue(
    symbol: UnsafePointer<CChar>?, values: UnsafeMutableRawPointer?, value: UnsafeRawPointer?,
    byteCount: UInt32, type: UInt32
) {
    guard let symbol, let value,
        let values = values?.assumingMemoryBound(to: [String: Float].self)
    else { return }
    values.pointee[String(cString: symbol)] = AtomNumber.value(value, ofType: type)
}
