internal import CLilv
internal import Glibc
internal import Processing
internal import Realtime

/// The state of a running plugin; any thread except the audio thread can save and restore it.
final class PluginMemory: ProcessorMemory {
    private let instance: PluginInstance
    private let world: PluginWorld

    init(_ instance: PluginInstance, _ world: PluginWorld) {
        self.instance = instance
        self.world = world
    }

    /// Has a trial's record of floating-point flags surround each run from now on.
    func watchRuns() { instance.state.pointee.watchRuns() }

    /// Whether the plugin has a state beyond its control values.
    var isMoreThanControls: Bool { instance.hasOwnState }

    /// Returns the whole state as text: the control values and the plugin's own properties.
    ///
    /// Files that the state names are not copied.
    ///
    /// - Throws: `PluginError` if the plugin cannot be asked.
    func savedState() throws(PluginError) -> String {
        try instance.checkPresence()
        return try world.locked { () throws(PluginError) in
            let state = try instance.captured(copyingFilesTo: nil, world)
            guard let text = state.text(in: try world.world()) else {
                throw PluginError("the state of the plugin \(instance.shape.uri) cannot be written")
            }
            return text
        }
    }

    /// Restores a saved state.
    ///
    /// - Parameters:
    ///   - text: The result of `savedState`, from this or another process.
    ///   - isPlaying: Whether the audio thread runs the plugin. If so, commands must set the
    ///     control values, and the plugin is paused without a click if it needs that. Otherwise,
    ///     the control values are set at once.
    /// - Throws: `PluginError` if the text is not a state, or the audio thread does not run the
    ///   plugin after all.
    func restore(_ text: String, isPlaying: Bool) throws(PluginError) {
        try instance.checkPresence()
        let state = try world.locked { () throws(PluginError) in
            guard let state = PluginState(text: text, in: try world.world()) else {
                throw PluginError("this is not a state of the plugin \(instance.shape.uri)")
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
    /// Returns the values that a saved state contains for control ports, by symbol.
    ///
    /// - Throws: `PluginError` if lilv's world cannot be opened.
    func portValues(ofState text: String) throws(PluginError) -> [String: Float] {
        try locked { () throws(PluginError) in
            PluginState(text: text, in: try world())?.portValues ?? [:]
        }
    }
}

extension PluginInstance {
    /// Saves the current state.
    ///
    /// The caller holds the world's lock.
    ///
    /// - Parameters:
    ///   - folder: The folder for copies of the files that the plugin created, and for links to
    ///     other files that the state names; `nil` to leave all files in place.
    ///   - world: The world that the plugin comes from.
    /// - Returns: The state.
    /// - Throws: `PluginError` if the plugin cannot be asked.
    func captured(copyingFilesTo folder: String?, _ world: PluginWorld) throws(PluginError)
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
                UnsafePointer(features.stateList.start))
        }
        guard let state else {
            throw PluginError("the plugin \(shape.uri) does not return a state")
        }
        return PluginState(state)
    }

    /// Restores properties while the audio thread runs the plugin.
    fileprivate func restoreWhilePlaying(_ saved: PluginState) throws(PluginError) {
        guard !shape.restoresWhileRunning else {
            return restore(saved)
        }
        guard state.pointee.pause.pointee.begin() else {
            throw PluginError("the plugin \(shape.uri) is not running")
        }
        restore(saved)
        state.pointee.pause.pointee.end()
    }

    /// Sets control ports by their symbols, at once.
    fileprivate func setControls(_ values: [String: Float]) {
        for (port, parameter) in zip(shape.ports(.parameter), shape.description.parameters)
        where !parameter.isTrigger {
            guard let value = values[shape.ports[port].symbol], value.isFinite else { continue }
            ports.controls[port] = value
        }
    }

    /// Returns the address of a parameter's value.
    fileprivate func control(_ symbol: String) -> UnsafePointer<Float>? {
        let port = shape.ports(.parameter).first { shape.ports[$0].symbol == symbol }
        return port.map { UnsafePointer(ports.controls.start + $0) }
    }
}

/// Returns the value of a control port to lilv.
private func readControl(
    symbol: UnsafePointer<CChar>?, instance: UnsafeMutableRawPointer?,
    byteCount: UnsafeMutablePointer<UInt32>?, type: UnsafeMutablePointer<UInt32>?
) -> UnsafeRawPointer? {
    guard let symbol, let instance else { return nil }
    byteCount?.pointee = 4
    type?.pointee = URIDTable.map(Namespace.atom("Float"))
    // SAFETY: `captured` passes the instance, which lives until lilv returns.
    let control = Unmanaged<PluginInstance>.fromOpaque(instance).takeUnretainedValue()
        .control(String(cString: symbol))
    if control == nil {
        byteCount?.pointee = 0
        type?.pointee = 0
    }
    return control.map { UnsafeRawPointer($0) }
}
