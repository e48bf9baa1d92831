internal import CLilv
internal import Glibc
internal import Processing

/// The state of a playing plugin, to be saved and restored on any thread but the audio thread.
final class PluginMemory: ProcessorMemory {
    private let instance: PluginInstance
    private let world: PluginWorld

    init(_ instance: PluginInstance, _ world: PluginWorld) {
        self.instance = instance
        self.world = world
    }

    /// Whether the plugin has a state beyond its control values.
    var isMoreThanControls: Bool { instance.hasOwnState }

    /// The whole state as text: control values, and what the plugin says of itself.
    ///
    /// Files that it names stay where they are.
    ///
    /// - Throws: `PluginFault` where the plugin cannot be asked.
    func savedState() throws(PluginFault) -> String {
        try world.locked { () throws(PluginFault) in
            let state = try instance.captured(copyingFilesTo: nil, world)
            guard let text = state.text(in: try world.world()) else {
                throw PluginFault("the state of the plugin \(instance.shape.uri) cannot be written")
            }
            return text
        }
    }

    /// Brings the plugin into a saved state.
    ///
    /// - Parameters:
    ///   - text: What `savedState` gave, here or in another process.
    ///   - isPlaying: Whether the audio thread runs the plugin. Then control values are left to commands, and a plugin
    ///     that needs it is paused without a click; otherwise they are set at once.
    /// - Throws: `PluginFault` where the text is no state, or the plugin is not played after all.
    func restore(_ text: String, isPlaying: Bool) throws(PluginFault) {
        let state = try world.locked { () throws(PluginFault) in
            guard let state = PluginState(text: text, in: try world.world()) else {
                throw PluginFault("this is no state of the plugin \(instance.shape.uri)")
            }
            return state
        }
        guard isPlaying else {
            instance.setControls(state.portValues)
            return instance.restore(state)
        }
        try instance.restoreWhilePlaying(state)
    }
}

extension PluginWorld {
    /// The values that a saved state gives to control ports, by symbol.
    ///
    /// - Throws: `PluginFault` where nothing can be read.
    func portValues(ofState text: String) throws(PluginFault) -> [String: Float] {
        try locked { () throws(PluginFault) in
            PluginState(text: text, in: try world())?.portValues ?? [:]
        }
    }
}

extension PluginInstance {
    /// The state at present.
    ///
    /// The caller holds the world's lock.
    ///
    /// - Parameters:
    ///   - folder: Where copies of the files go that the plugin made, and links to others that the state names; nil where they
    ///     stay where they are.
    ///   - world: Where the plugin comes from.
    /// - Returns: The state.
    /// - Throws: `PluginFault` where the plugin cannot be asked.
    func captured(copyingFilesTo folder: String?, _ world: PluginWorld) throws(PluginFault)
        -> PluginState
    {
        var map = PluginFeatures.uridMap
        var instance = lilvInstance
        let plugin = try world.plugin(shape.uri)
        let state = saving {
            lilv_state_new_from_instance(
                plugin, &instance, &map, files.folder, folder, folder, folder,
                readControl, Unmanaged.passUnretained(self).toOpaque(),
                LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue,
                UnsafePointer(features.stateList.baseAddress))
        }
        guard let state else {
            throw PluginFault("the plugin \(shape.uri) tells no state")
        }
        return PluginState(state)
    }

    /// Restores properties while the audio thread runs the plugin.
    fileprivate func restoreWhilePlaying(_ saved: PluginState) throws(PluginFault) {
        guard !shape.restoresWhileRunning else {
            return restore(saved)
        }
        guard state.pointee.pause.pointee.begin() else {
            throw PluginFault("the plugin \(shape.uri) is not being played")
        }
        restore(saved)
        state.pointee.pause.pointee.end()
    }

    /// Sets control ports by their symbols, at once.
    fileprivate func setControls(_ values: [String: Float]) {
        for port in shape.ports(.parameter) {
            guard let value = values[shape.ports[port].symbol], value.isFinite else { continue }
            ports.controls[port] = value
        }
    }

    /// Where a parameter's value lies.
    fileprivate func control(_ symbol: String) -> UnsafePointer<Float>? {
        let port = shape.ports(.parameter).first { shape.ports[$0].symbol == symbol }
        return port.flatMap { port in ports.controls.baseAddress.map { UnsafePointer($0 + port) } }
    }
}

/// Called by lilv for each control port.
private func readControl(
    symbol: UnsafePointer<CChar>?, instance: UnsafeMutableRawPointer?,
    byteCount: UnsafeMutablePointer<UInt32>?, type: UnsafeMutablePointer<UInt32>?
) -> UnsafeRawPointer? {
    guard let symbol, let instance else { return nil }
    byteCount?.pointee = 4
    type?.pointee = URIDTable.map(Namespace.atom("Float"))
    // SAFETY: `captured` passes itself and waits for lilv's end.
    let control = Unmanaged<PluginInstance>.fromOpaque(instance).takeUnretainedValue()
        .control(String(cString: symbol))
    if control == nil {
        byteCount?.pointee = 0
        type?.pointee = 0
    }
    return control.map { UnsafeRawPointer($0) }
}
