/// A plugin as `Descriptors.c` sees it: its state and what acts on it.
struct PluginInstance {
    let state: UnsafeMutableRawPointer
    let connect:
        @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeMutablePointer<Float>?) -> Void
    let activate: @convention(c) (UnsafeMutableRawPointer) -> Void
    let run: @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void
    let free: @convention(c) (UnsafeMutableRawPointer) -> Void
}

/// Moves an instance to the heap, for `plugin_free` to end.
func startPlugin(_ instance: PluginInstance) -> UnsafeMutableRawPointer {
    let place = UnsafeMutablePointer<PluginInstance>.allocate(capacity: 1)
    place.initialize(to: instance)
    return UnsafeMutableRawPointer(place)
}

/// Tells where a port's signal or control lies.
@_cdecl("plugin_connect")
public func connectPlugin(
    _ instance: UnsafeMutableRawPointer, _ port: UInt32, _ data: UnsafeMutablePointer<Float>?
) {
    let plugin = instance.assumingMemoryBound(to: PluginInstance.self).pointee
    plugin.connect(plugin.state, port, data)
}

/// Forgets what was heard; the controls hold at once in the next run.
@_cdecl("plugin_activate")
public func activatePlugin(_ instance: UnsafeMutableRawPointer) {
    let plugin = instance.assumingMemoryBound(to: PluginInstance.self).pointee
    plugin.activate(plugin.state)
}

/// Renders frames.
///
/// Real-time safe.
@_cdecl("plugin_run")
public func runPlugin(_ instance: UnsafeMutableRawPointer, _ frameCount: UInt32) {
    let plugin = instance.assumingMemoryBound(to: PluginInstance.self).pointee
    plugin.run(plugin.state, frameCount)
}

/// Ends an instance.
@_cdecl("plugin_free")
public func freePlugin(_ instance: UnsafeMutableRawPointer) {
    let plugin = instance.assumingMemoryBound(to: PluginInstance.self).pointee
    plugin.free(plugin.state)
    instance.deallocate()
}
