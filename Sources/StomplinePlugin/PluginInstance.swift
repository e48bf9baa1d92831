internal import CPluginEvents

/// An instance of a plugin, as `Descriptors.c` sees it.
///
/// C holds the one reference: `startPlugin` retains the instance, and `plugin_free` releases it.
class PluginInstance {
    /// Connects a port to its signal or control value.
    func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {}
    /// Sets the host's numbers for the types of events.
    func setTerms(_ terms: PluginTerms) {}
    /// Makes the next run start from silence, with the controls at once at their values.
    func activate() {}
    /// Renders frames.
    ///
    /// Real-time safe.
    func run(frameCount: Int) {}
}

/// The instance of an effect.
private final class EffectInstance<Kernel: PluginKernel & ~Copyable>: PluginInstance {
    private var plugin: EffectPlugin<Kernel>

    init(_ plugin: consuming EffectPlugin<Kernel>) { self.plugin = plugin }

    override func connect(_ port: UInt32, to data: UnsafeMutablePointer<Float>?) {
        plugin.connect(port, to: data)
    }

    override func setTerms(_ terms: PluginTerms) { plugin.setTerms(terms) }

    override func activate() { plugin.activate() }

    override func run(frameCount: Int) { plugin.run(frameCount: frameCount) }
}

/// Moves a plugin to the heap, and returns its handle for C.
func startPlugin<Kernel: PluginKernel & ~Copyable>(
    _ plugin: consuming EffectPlugin<Kernel>
) -> UnsafeMutableRawPointer {
    let instance: PluginInstance = EffectInstance(plugin)
    return Unmanaged.passRetained(instance).toOpaque()
}

// SAFETY: every handle comes from `startPlugin`, and hosts do not use it after `plugin_free`.
private func instance(_ handle: UnsafeMutableRawPointer) -> Unmanaged<PluginInstance> {
    Unmanaged.fromOpaque(handle)
}

/// Connects a port to its signal or control value.
@_cdecl("plugin_connect")
public func connectPlugin(
    _ handle: UnsafeMutableRawPointer, _ port: UInt32, _ data: UnsafeMutablePointer<Float>?
) {
    instance(handle)._withUnsafeGuaranteedRef { $0.connect(port, to: data) }
}

/// Sets the host's numbers for the types of events, before the first run.
@_cdecl("plugin_set_terms")
public func setPluginTerms(_ handle: UnsafeMutableRawPointer, _ terms: UnsafeRawPointer) {
    let terms = terms.load(as: PluginTerms.self)
    instance(handle)._withUnsafeGuaranteedRef { $0.setTerms(terms) }
}

/// Makes the next run start from silence, with the controls at once at their values.
@_cdecl("plugin_activate")
public func activatePlugin(_ handle: UnsafeMutableRawPointer) {
    instance(handle)._withUnsafeGuaranteedRef { $0.activate() }
}

/// Renders frames.
///
/// Real-time safe: the reference is borrowed, so the call does not count references.
@_cdecl("plugin_run")
public func runPlugin(_ handle: UnsafeMutableRawPointer, _ frameCount: UInt32) {
    instance(handle)._withUnsafeGuaranteedRef { $0.run(frameCount: Int(frameCount)) }
}

/// Frees an instance.
@_cdecl("plugin_free")
public func freePlugin(_ handle: UnsafeMutableRawPointer) { instance(handle).release() }
